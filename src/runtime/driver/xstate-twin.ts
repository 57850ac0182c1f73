import type { AnyMachineSnapshot, AnyStateMachine } from "xstate"
import { createMachine } from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { TransitionRecorder } from "./transition-cache.js"
import { flatten } from "./flatten.js"
import type { MachineProgram } from "./program.js"

/** XState tells of a circle by the text of a bare error only. */
const isCircle = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Infinite loop detected")

/** What a machine threw, in our own words where it went round in a circle without ever asking anybody. */
export function machineError(key: string, error: unknown): unknown {
  if (!isCircle(error)) return error
  const why = `machine "${key}" took ${maxMicrosteps} steps for one event without making a call`
  return new AgentStatechartsError(
    "limit_reached",
    `${why}; check for a loop whose agents are all skipped by \`when\`, or a cycle in an edited chart`,
    { cause: error },
  )
}

/** How many microsteps one event may take before the chart counts as caught in a circle. */
const maxMicrosteps = 100_000

/** The flattened twin of a machine behind XState's pure transition function. Each answer is XState's; the trail hears of every guard and action. */
export interface XStateTwin {
  begin(context: object, trail: TransitionRecorder): AnyMachineSnapshot
  transition(
    snapshot: AnyMachineSnapshot,
    context: object,
    event: MachineEvent,
    trail: TransitionRecorder,
  ): AnyMachineSnapshot
}

/** An action that XState executes during a transition. */
interface ExecutedAction {
  readonly type: string
  readonly params: unknown
  readonly info: { readonly event: MachineEvent }
}

export function xstateTwin({ config, kind }: MachineProgram): XStateTwin {
  let following: TransitionRecorder | null = null
  const follow = (trail: TransitionRecorder, ask: () => AnyMachineSnapshot): AnyMachineSnapshot => {
    following = trail
    try {
      return ask()
    } finally {
      following = null
    }
  }
  const guards = Object.fromEntries(
    Object.keys(kind.guards).map((name) => [
      name,
      ({ event }: { readonly event: MachineEvent }, params: unknown) =>
        following?.ask(name, params, event) ?? false,
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
  const scope = transitionScope(({ type, params, info }) =>
    following?.act(type, params, info.event),
  )
  return {
    begin(context, trail) {
      starting = context
      const snapshot: AnyMachineSnapshot = follow(trail, () =>
        machine.getInitialSnapshot(scope as never, undefined as never),
      )
      starting = {}
      return snapshot
    },
    transition: (snapshot, context, event, trail) =>
      follow(trail, () =>
        machine.transition(
          { ...snapshot, context } as AnyMachineSnapshot,
          event as never,
          scope as never,
        ),
      ),
  }
}

/**
 * What XState's transition function needs around it: `actionExecutor` is told of every action, and nothing else is ever used, since the
 * twin has no invokes.
 */
function transitionScope(actionExecutor: (action: ExecutedAction) => void): object {
  const ignore = (): void => {}
  const self = { id: "driver", sessionId: "driver", send: ignore }
  const system = {
    _sendInspectionEvent: ignore,
    _relay: ignore,
    scheduler: { schedule: ignore, cancel: ignore },
  }
  return {
    self,
    system,
    id: "driver",
    sessionId: "driver",
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor,
  }
}
