import type { AnyActorLogic, AnyStateMachine } from "xstate"
import { createActor } from "xstate"
import { AgentStatechartsError } from "../../../errors.js"
import type { MachineRequest, UserMachine } from "../../../machines/contract/host/user-machine.js"
import { describeMachine } from "./describe-machine.js"
import type { MachineService } from "./machine-service.js"
import { isStateMachine } from "./machine-service.js"
import { unsupportedActor } from "./unsupported-actor.js"
import { takeTransition } from "./take-transition.js"

/** The fields of a host function's context that are needed to run an XState machine. */
interface MachineContext {
  readonly signal: AbortSignal
  readonly state: { toObject(): Record<string, unknown> }
}

/**
 * Executes a request of a MachineAgent: it starts the XState machine, sends an event to it, or runs
 * a promise actor that the machine invokes.
 */
export function performMachine(
  { machine, input }: MachineService,
  request: MachineRequest,
  context: MachineContext,
): unknown {
  switch (request.verb) {
    case "start":
      checkMachine(machine, request)
      return takeTransition(machine, request.agents, {
        state: null,
        input: input === undefined ? request.input : input(context.state.toObject()),
      })
    case "send":
      return takeTransition(machine, request.agents, request)
    case "run":
      return runActor(logicOf(machine, request.src), request.input, context)
  }
}

/**
 * Throws an error if a MachineAgent cannot run the registered XState machine, or if the machine
 * differs from the machine that the chart contains.
 */
function checkMachine(
  machine: AnyStateMachine,
  { machine: charted, agents }: Extract<MachineRequest, { readonly verb: "start" }>,
): void {
  const problem = unsupportedActor(machine, agents)
  if (problem !== null)
    throw new AgentStatechartsError(
      "host_code_failed",
      `the machine "${machine.id}" ${problem}; use promises (fromPromise), machines and sub-agents, and pass them by name to setup({ actors })`,
    )
  if (charted === null) return
  const state = differentState(charted, describeMachine(machine), charted.id)
  if (state === null) return
  throw new AgentStatechartsError(
    "host_code_failed",
    `the registered machine "${machine.id}" differs from the machine in the chart, first in the state "${state}"; compile the workflow again, or register the machine that the chart contains`,
  )
}

type State = Omit<UserMachine, "id">

/**
 * Returns the path of the first state in which two machines differ, or null if the machines are
 * equal. `path` is the path of the compared states.
 */
function differentState(one: State, other: State, path: string): string | null {
  const { states = {}, ...own } = one
  const { states: others = {}, ...otherOwn } = other
  if (text(own) !== text(otherOwn)) return path
  const keys = Object.keys(states)
  if (text(keys) !== text(Object.keys(others))) return path
  for (const key of keys) {
    const [inner, otherInner] = [states[key], others[key]]
    if (inner === undefined || otherInner === undefined) return `${path}.${key}`
    const found = differentState(inner, otherInner, `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

/**
 * Returns the logic of an actor that the machine, or a machine inside it, invokes. `src` contains
 * the actor names on the way from the machine to the actor.
 */
function logicOf(machine: AnyStateMachine, src: readonly string[]): AnyActorLogic {
  let logic: unknown = machine
  for (const name of src) {
    logic = isStateMachine(logic)
      ? (logic.implementations.actors as Readonly<Record<string, unknown>>)[name]
      : undefined
  }
  if (logic === undefined)
    throw new AgentStatechartsError(
      "host_code_failed",
      `the machine "${machine.id}" starts the actor "${src.join(".")}", which is not defined; add the actor to setup({ actors })`,
    )
  // The cast is safe: XState only accepts actor logic as the actors of a machine.
  return logic as AnyActorLogic
}

/**
 * Runs a promise actor until it ends and resolves to its output. If the signal is aborted, stops
 * the actor.
 */
function runActor(
  logic: AnyActorLogic,
  input: unknown,
  { signal }: MachineContext,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const actor = createActor(logic, { input })
    actor.subscribe({
      error: reject,
      complete: () => resolve((actor.getSnapshot() as { readonly output?: unknown }).output),
    })
    signal.addEventListener("abort", () => actor.stop(), { once: true })
    actor.start()
  })
}
