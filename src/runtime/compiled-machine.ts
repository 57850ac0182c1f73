import type { AnyMachineSnapshot, AnyStateMachine } from "xstate"
import { createMachine } from "xstate"
import { AgentStatechartsError } from "../errors.js"
import type { MachineEvent } from "../machines/step.js"
import { flatten } from "./flatten.js"
import type { MachineProgram, Program } from "./program.js"

/** A machine of a chart, ready for the driver: the flattened twin behind XState's pure transition function. */
export interface CompiledMachine {
  readonly program: MachineProgram
  initial(scope: TransitionScope, context: object): AnyMachineSnapshot
  transition(scope: TransitionScope, snapshot: AnyMachineSnapshot, event: MachineEvent): AnyMachineSnapshot
}

/** How a machine begins whose first macrostep asks no guard. */
interface Beginning {
  readonly snapshot: AnyMachineSnapshot
  readonly actions: readonly { readonly type: string; readonly params: unknown; readonly event: MachineEvent }[]
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

/** XState tells of a circle by the text of a bare error only. */
const isCircle = (error: unknown): boolean => error instanceof Error && error.message.startsWith("Infinite loop detected")

/** What a machine threw, in our own words where it went round in a circle without ever asking anybody. */
export function machineError(key: string, error: unknown): unknown {
  if (!isCircle(error)) return error
  const why = `machine "${key}" made ${maxMicrosteps} steps for one event without calling anybody`
  return new AgentStatechartsError("limit_reached", `${why}: a loop whose agents are all skipped by \`when\`, or a circle in an edited chart`, { cause: error })
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
  let guardsAsked = 0
  const guards = Object.fromEntries(
    Object.entries(kind.guards).map(([name, guard]) => [
      name,
      ({ context, event }: { context: object; event: MachineEvent }, params: never) => {
        guardsAsked++
        return guard(context, event, params, lookup)
      },
    ]),
  )
  // XState takes the context from the config when it makes a first snapshot: it is given that of the instance.
  let starting: object = {}
  const twin = {
    ...flatten(config),
    get context() {
      return starting
    },
    options: { maxIterations: maxMicrosteps },
  }
  // The config is JSON of our own form; XState's generic types cannot follow it.
  const machine: AnyStateMachine = createMachine(twin as never, { guards } as never)
  let known: Beginning | null = null

  const begin = (scope: TransitionScope, context: object): AnyMachineSnapshot => {
    const executed: ExecutedAction[] = []
    const asked = guardsAsked
    starting = context
    const recording: TransitionScope = {
      ...scope,
      actionExecutor: (action) => {
        executed.push(action)
        scope.actionExecutor(action)
      },
    }
    const snapshot: AnyMachineSnapshot = machine.getInitialSnapshot(recording as never, undefined as never)
    starting = {}
    // No guard was asked, so every instance of this machine begins like this one.
    if (guardsAsked === asked && snapshot.status === "active") {
      known = { snapshot: { ...snapshot, context: {} } as AnyMachineSnapshot, actions: executed.map(({ type, params, info }) => ({ type, params, event: info.event })) }
    }
    return snapshot
  }

  return {
    program,
    initial(scope, context) {
      if (known === null) return begin(scope, context)
      for (const { type, params, event } of known.actions) scope.actionExecutor({ type, params, info: { context, event } })
      return { ...known.snapshot, context } as AnyMachineSnapshot
    },
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
