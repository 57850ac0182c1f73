import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import { AgentStatechartsError } from "../../../errors.js"
import { isStateMachine } from "./machine-service.js"

/** Snapshot of an actor that runs as a call of the run instead of in the user's machine. */
export interface StubSnapshot {
  readonly status: "active" | "done" | "error" | "stopped"
  readonly output: unknown
  readonly error: unknown
  readonly input: unknown
  readonly key: string
  readonly src: readonly string[]
}

/** Ends a stub with the result of its call. */
export type SettleStub =
  | { readonly type: "agent-statecharts.done"; readonly output: unknown }
  | { readonly type: "agent-statecharts.error"; readonly error: unknown }

/**
 * Returns a copy of a machine whose agents and promises are stubs. A stub does nothing until it
 * receives the result of its call. Machines and reducers inside the machine are kept.
 *
 * @throws AgentStatechartsError `host_code_failed` if an actor is neither a promise, a machine nor
 * a reducer
 */
export function withStubs(
  machine: AnyStateMachine,
  agents: readonly string[],
  nextKey: () => string,
  above: readonly string[] = [],
): AnyStateMachine {
  const own = machine.implementations.actors as Readonly<Record<string, AnyActorLogic>>
  const actors: Record<string, AnyActorLogic> = {}
  for (const name of new Set([...Object.keys(own), ...agents])) {
    const logic = own[name]
    const src = [...above, name]
    if (agents.includes(name)) actors[name] = stub([name], nextKey)
    else if (isStateMachine(logic)) actors[name] = withStubs(logic, agents, nextKey, src)
    else if (isPromiseLogic(logic)) actors[name] = stub(src, nextKey)
    else if (isAsynchronous(logic)) refuseActor(machine, `"${name}"`)
  }
  return machine.provide({ actors })
}

/** Refuses an actor whose results cannot be recorded. */
export function refuseActor(machine: AnyStateMachine, name: string): never {
  throw new AgentStatechartsError(
    "host_code_failed",
    `the machine "${machine.id}" starts the actor ${name}, which cannot be recorded; use a promise (fromPromise), a machine or an agent, and pass it by name to setup({ actors })`,
  )
}

function stub(src: readonly string[], nextKey: () => string): AnyActorLogic {
  const logic: AnyActorLogic = {
    getInitialSnapshot: (_scope: unknown, input: unknown): StubSnapshot => ({
      status: "active",
      output: undefined,
      error: undefined,
      input: input ?? null,
      key: nextKey(),
      src,
    }),
    transition: (snapshot: StubSnapshot, event: SettleStub | { readonly type: "xstate.stop" }) => {
      if (event.type === "agent-statecharts.done")
        return { ...snapshot, status: "done", output: event.output }
      if (event.type === "agent-statecharts.error")
        return { ...snapshot, status: "error", error: event.error }
      return event.type === "xstate.stop" ? { ...snapshot, status: "stopped" } : snapshot
    },
    getPersistedSnapshot: (snapshot) => snapshot,
    restoreSnapshot: (snapshot: unknown) => snapshot,
  }
  stubs.add(logic)
  return logic
}

const stubs = new WeakSet<object>()

export const isStub = (logic: object): boolean => stubs.has(logic)

/** Returns whether an actor works outside transitions, such as a promise or a callback. */
export const isAsynchronous = (logic: AnyActorLogic | undefined): boolean =>
  logic !== undefined &&
  !isStateMachine(logic) &&
  !isStub(logic) &&
  typeof logic.start === "function"

/** Returns whether an actor is a promise: it ends when its promise is resolved. */
export function isPromiseLogic(logic: AnyActorLogic | undefined): logic is AnyActorLogic {
  if (logic === undefined || !isAsynchronous(logic)) return false
  const active = { status: "active", output: undefined, error: undefined, input: undefined }
  const resolved = { type: "xstate.promise.resolve", data: null }
  try {
    const next: unknown = logic.transition(active as never, resolved as never, {} as never)
    return (next as { readonly status?: unknown } | undefined)?.status === "done"
  } catch {
    // Promise logic does not use the scope, so logic that fails without a scope is not a promise.
    return false
  }
}

/** Yields an actor and its descendants, each with the ids of the actors that lead to it. */
export function* actorsBelow(
  actor: AnyActorRef,
  path: readonly string[] = [],
): Generator<{ readonly actor: AnyActorRef; readonly path: readonly string[] }> {
  yield { actor, path }
  const { children = {} } = actor.getSnapshot() as {
    readonly children?: Readonly<Record<string, AnyActorRef | undefined>>
  }
  for (const [id, child] of Object.entries(children))
    if (child !== undefined) yield* actorsBelow(child, [...path, id])
}
