import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import { AgentStatechartsError } from "../../../errors.js"
import { isStateMachine } from "./machine-service.js"

/**
 * Snapshot of a stub actor. In the XState machine of a MachineAgent, stubs replace the agents and
 * promises that the machine invokes. The run executes these agents and promises as calls outside
 * the machine.
 */
export interface StubSnapshot {
  readonly status: "active" | "done" | "error" | "stopped"
  readonly output: unknown
  readonly error: unknown
  readonly input: unknown
  readonly key: string
  readonly src: readonly string[]
}

/**
 * The event that ends a stub actor with the result or the error of its call. A stub actor replaces
 * an agent or a promise in an XState machine.
 */
export type SettleStub =
  | { readonly type: "agent-statecharts.done"; readonly output: unknown }
  | { readonly type: "agent-statecharts.error"; readonly error: unknown }

/**
 * Returns a copy of an XState machine in which stub actors replace all agents and promises. A stub
 * does nothing until it receives the result of its call. Machines and reducers inside the machine
 * are not replaced.
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

/**
 * Throws an error for an actor of the machine whose results cannot be recorded, for example a
 * callback.
 */
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

/**
 * Returns true if an actor can act outside the transitions of its machine. Examples are promises
 * and callbacks.
 */
export const isAsynchronous = (logic: AnyActorLogic | undefined): boolean =>
  logic !== undefined &&
  !isStateMachine(logic) &&
  !isStub(logic) &&
  typeof logic.start === "function"

/**
 * Returns true if actor logic was created with XState's `fromPromise`. To check this, the function
 * passes XState's event for a resolved promise to the logic. Only promise logic then has the status
 * `done`.
 */
export function isPromiseLogic(logic: AnyActorLogic | undefined): logic is AnyActorLogic {
  if (logic === undefined || !isAsynchronous(logic)) return false
  const active = { status: "active", output: undefined, error: undefined, input: undefined }
  const resolved = { type: "xstate.promise.resolve", data: null }
  try {
    const next: unknown = logic.transition(active, resolved, {} as never)
    return (next as { readonly status?: unknown } | undefined)?.status === "done"
  } catch {
    // Promise logic does not use the actor scope. If the logic throws without a scope, it is not
    // promise logic.
    return false
  }
}

/**
 * Yields an actor and all of its descendants, each with the actor ids on the way from the first
 * actor to it.
 */
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
