import type { PlainSnapshot } from "../plain-snapshot.js"

/**
 * A message to a viewer that uses the protocol of `@xstate/inspect`. `machine`, `state` and `event`
 * are JSON texts in the format of XState 4.
 */
export type ServiceMessage =
  | {
      readonly type: "service.register"
      readonly machine: string
      readonly state: string
      readonly id: string
      readonly sessionId: string
      readonly parent?: string
    }
  | { readonly type: "service.state"; readonly state: string; readonly sessionId: string }
  | { readonly type: "service.event"; readonly event: string; readonly sessionId: string }
  | { readonly type: "service.stop"; readonly sessionId: string }

/** An event in the SCXML format that XState 4 uses. */
export interface ScxmlEvent {
  readonly name: string
  readonly data: unknown
  readonly $$type: "scxml"
  readonly type: "external"
  readonly origin?: string
}

export const scxmlEvent = (
  event: { readonly type: string },
  data: unknown,
  origin: string | undefined,
): ScxmlEvent => ({
  name: nameInVersion4(event.type),
  data,
  $$type: "scxml",
  type: "external",
  ...(origin !== undefined && { origin }),
})

/** Converts a snapshot to the state format that `State.create` of XState 4 accepts. */
export function stateInVersion4(
  { status, value, tags, context }: PlainSnapshot,
  event: ScxmlEvent,
  sessionId: string,
): object {
  return {
    value: value ?? {},
    context,
    _event: event,
    _sessionid: sessionId,
    event: event.data,
    historyValue: undefined,
    actions: [],
    activities: {},
    meta: {},
    events: [],
    configuration: [],
    transitions: [],
    children: {},
    done: status === "done",
    tags: tags ?? [],
    changed: true,
  }
}

/**
 * Converts an event type of XState 5 to XState 4. Only the types of done events differ, for example
 * `xstate.done.actor.writer` and `done.invoke.writer`.
 */
const nameInVersion4 = (type: string): string =>
  type.replace(/^xstate\.done\.actor\./, "done.invoke.")
