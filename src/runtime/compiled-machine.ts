import type { AnyMachineSnapshot, AnyStateMachine } from "xstate"
import { createMachine } from "xstate"
import type { MachineEvent } from "../machines/step.js"
import { flatten } from "./flatten.js"
import type { MachineProgram, Program } from "./program.js"

/** A machine of a chart, ready for the driver: the flattened twin behind XState's pure transition function. */
export interface CompiledMachine {
  readonly program: MachineProgram
  initial(scope: TransitionScope, input: unknown): AnyMachineSnapshot
  transition(scope: TransitionScope, snapshot: AnyMachineSnapshot, event: MachineEvent): AnyMachineSnapshot
}

/** An action that XState executes during a transition. */
export interface ExecutedAction {
  readonly type: string
  readonly params: unknown
  readonly info: { readonly context: object; readonly event: MachineEvent }
}

/**
 * What XState's transition function needs around it. One object serves all machines of a process: `actionExecutor` is told
 * of every action, and nothing else is ever used, since the twin has no invokes.
 */
export interface TransitionScope {
  actionExecutor: (action: ExecutedAction) => void
}

/** How many microsteps one event may take before the chart counts as caught in a circle. */
const maxMicrosteps = 100_000

/** Compiles machines when they are first used: a chart may hold many that a run never enters. */
export function compiledMachines(program: Program): (key: string) => CompiledMachine | undefined {
  const compiled = new Map<string, CompiledMachine>()
  return (key) => {
    const known = compiled.get(key)
    if (known !== undefined) return known
    const machine = program.machines.get(key)
    if (machine === undefined) return undefined
    const result = compileMachine(machine)
    compiled.set(key, result)
    return result
  }
}

function compileMachine(program: MachineProgram): CompiledMachine {
  const { config, kind, lookup } = program
  const guards = Object.fromEntries(
    Object.entries(kind.guards).map(([name, guard]) => [
      name,
      ({ context, event }: { context: object; event: MachineEvent }, params: never) => guard(context, event, params, lookup),
    ]),
  )
  const twin = {
    ...flatten(config),
    context: ({ input }: { input: unknown }) => kind.contextFrom(input, lookup.chart),
    options: { maxIterations: maxMicrosteps },
  }
  // The config is JSON of our own form; XState's generic types cannot follow it.
  const machine: AnyStateMachine = createMachine(twin as never, { guards } as never)
  return {
    program,
    initial: (scope, input) => machine.getInitialSnapshot(scope as never, input as never),
    transition: (scope, snapshot, event) => machine.transition(snapshot, event as never, scope as never),
  }
}

/** The scope that `getInitialSnapshot` and `transition` are called with. */
export function transitionScope(actionExecutor: TransitionScope["actionExecutor"]): TransitionScope {
  const ignore = (): void => {}
  const self = { id: "driver", sessionId: "driver", send: ignore }
  const system = { _sendInspectionEvent: ignore, _relay: ignore, scheduler: { schedule: ignore, cancel: ignore } }
  const scope = { self, system, id: "driver", sessionId: "driver", logger: ignore, defer: ignore, emit: ignore, stopChild: ignore, actionExecutor }
  return scope
}
