import type { PlainSnapshot } from "../plain-snapshot.js"

/** What a viewer is told. `machine`, `state` and `event` are JSON as texts, in the words of XState 4. */
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

/** An event as XState 4 keeps it, in the form of SCXML. */
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
  ...(origin === undefined ? {} : { origin }),
})

/** A state as `State.create` of XState 4 takes it. */
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

/** Done events have another name there. */
const nameInVersion4 = (type: string): string =>
  type.replace(/^xstate\.done\.actor\./, "done.invoke.")
