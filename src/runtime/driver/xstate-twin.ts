import type { AnyMachineSnapshot, AnyStateMachine } from "xstate"
import { createMachine } from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { MachineDefinition } from "../../machines/registry/machine-definition.js"
import type { TransitionRecorder } from "./transition-cache.js"
import { flatten } from "./flatten.js"
import { isEndlessLoop, transitionScope } from "./xstate-internals.js"

/**
 * Returns the error to report if the machine with the key `key` throws `error`. XState's error
 * about an endless loop is replaced by `limit_reached`. Every other error is returned unchanged.
 */
export function machineError(key: string, error: unknown): unknown {
  if (!isEndlessLoop(error)) return error
  const why = `machine "${key}" took ${maxMicrosteps} steps for one event without making a call`
  return new AgentStatechartsError(
    "limit_reached",
    `${why}; check whether \`when\` skips all agents of a loop, or whether an edited chart contains a cycle`,
    { cause: error },
  )
}

/**
 * Maximum number of microsteps for one event. If a machine takes more, it is in an endless loop.
 */
const maxMicrosteps = 100_000

/**
 * Computes the transitions of a chart's machine with XState, if they are not cached yet. The XState
 * machine has no `invoke`, so it never starts children. `recorder` executes the actions and
 * evaluates the guards.
 */
export interface XStateTwin {
  begin(context: object, recorder: TransitionRecorder): AnyMachineSnapshot
  transition(
    snapshot: AnyMachineSnapshot,
    context: object,
    event: MachineEvent,
    recorder: TransitionRecorder,
  ): AnyMachineSnapshot
}

/** Creates the object that computes the transitions of a machine with XState. */
export function xstateTwin({ config, kind }: MachineDefinition): XStateTwin {
  let recording: TransitionRecorder | null = null
  const record = (
    recorder: TransitionRecorder,
    compute: () => AnyMachineSnapshot,
  ): AnyMachineSnapshot => {
    recording = recorder
    try {
      return compute()
    } finally {
      recording = null
    }
  }
  const guards = Object.fromEntries(
    Object.keys(kind.guards).map((name) => [
      name,
      ({ event }: { readonly event: MachineEvent }, params: unknown) =>
        recording?.evaluateGuard(name, params, event) ?? false,
    ]),
  )
  // XState reads the initial context from the machine config. This variable contains the context of
  // the instance that is being started.
  let starting: object = {}
  const twin = {
    ...flatten(config),
    get context() {
      return starting
    },
    options: { maxIterations: maxMicrosteps },
  }
  // XState's types cannot describe a config that is only known at run time.
  const machine: AnyStateMachine = createMachine(twin, { guards })
  const scope = transitionScope(({ type, params, info }) =>
    recording?.executeAction(type, params, info.event),
  )
  return {
    begin(context, recorder) {
      starting = context
      const snapshot: AnyMachineSnapshot = record(recorder, () =>
        machine.getInitialSnapshot(scope as never, undefined),
      )
      starting = {}
      return snapshot
    },
    transition: (snapshot, context, event, recorder) =>
      record(recorder, () => machine.transition({ ...snapshot, context }, event, scope as never)),
  }
}
