import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { CachedState, CachedTransition, StepExecutor } from "./transition-cache.js"
import { TransitionRecorder } from "./transition-cache.js"
import type {
  MachineConfig,
  MachineDefinition,
} from "../../machines/registry/machine-definition.js"
import type { MachineProgram, ChartProgram } from "../program/program.js"
import { eventCacheKey } from "./event-cache-key.js"
import type { XStateTwin } from "./xstate-twin.js"
import { xstateTwin } from "./xstate-twin.js"

/**
 * An executable state machine of a chart. It caches its transitions, so that XState computes each
 * transition only once.
 */
export interface CompiledMachine {
  readonly program: MachineProgram
  /**
   * Enters the initial state and returns it. `executor` executes the entry actions, which change
   * `context` in place.
   */
  initial(context: object, executor: StepExecutor): CachedState
  /**
   * Processes one event in the state `from` and returns the next state. `executor` executes the
   * actions, which change `context` in place.
   */
  transition(
    from: CachedState,
    context: object,
    event: MachineEvent,
    executor: StepExecutor,
  ): CachedState
}

/**
 * Maximum number of cached transitions for each machine. Without this limit, a machine with many
 * parallel regions could use too much memory.
 */
const maxCachedTransitions = 20_000

/**
 * Returns a function that finds an executable machine by its key in the chart. The function returns
 * undefined if the chart has no such machine. Each machine is compiled when it is first requested.
 */
export function compiledMachines(
  program: ChartProgram,
): (key: string) => CompiledMachine | undefined {
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

/**
 * Cached transitions of each machine config. If a chart is loaded again, for example for a replay,
 * its transitions are still cached. The built-in machines have the same config in all charts, so
 * all charts share their transitions.
 */
const transitionsOf = new WeakMap<MachineConfig, CachedTransitions>()

function compileMachine(program: MachineProgram): CompiledMachine {
  const transitions = transitionsOf.get(program.config) ?? new CachedTransitions(program)
  transitionsOf.set(program.config, transitions)
  return {
    program,
    initial: (context, executor) => transitions.initial(context, executor),
    transition: (from, context, event, executor) =>
      transitions.next(from, context, event, executor),
  }
}

const initialEvent: MachineEvent = { type: "xstate.init" }

/**
 * Caches the states and transitions of one machine. A cached transition evaluates its guards and
 * executes its actions without XState (docs/architecture.md, "Two interpreters").
 *
 * XState computes a transition only the first time. A transition is cached for each combination of
 * state, event key (usually the event type) and guard results.
 */
class CachedTransitions {
  readonly #definition: MachineDefinition
  readonly #cacheKeyOf: (event: MachineEvent) => string
  readonly #states = new Map<string, CachedState>()
  readonly #initial = new Map<string, CachedTransition>()
  #twin: XStateTwin | null = null
  #count = 0

  constructor({ config, kind }: MachineDefinition) {
    this.#definition = { config, kind }
    this.#cacheKeyOf = eventCacheKey(config)
  }

  initial(context: object, executor: StepExecutor): CachedState {
    return this.#step(this.#initial, null, context, initialEvent, executor)
  }

  next(
    { transitions, snapshot }: CachedState,
    context: object,
    event: MachineEvent,
    executor: StepExecutor,
  ): CachedState {
    return this.#step(transitions, snapshot, context, event, executor)
  }

  #step(
    transitions: Map<string, CachedTransition>,
    from: AnyMachineSnapshot | null,
    context: object,
    event: MachineEvent,
    executor: StepExecutor,
  ): CachedState {
    const key = this.#cacheKeyOf(event)
    let node = transitions.get(key)
    let last: CachedTransition | null = null
    let result = false
    while (node !== undefined) {
      for (const { type, params, raised } of node.actions)
        executor.executeAction(type, params, raised ?? event)
      if (node.target !== null) return node.target
      const { guard } = node
      if (guard === null) break
      last = node
      result = executor.evaluateGuard(guard.type, guard.params, guard.raised ?? event)
      node = (result ? node.ifTrue : node.ifFalse) ?? undefined
    }
    // The cache does not contain the transition for these guard results, so XState computes the
    // complete transition.
    this.#twin ??= xstateTwin(this.#definition)
    const recorder = new TransitionRecorder(executor, event, last && { node: last, result })
    const snapshot =
      from === null
        ? this.#twin.begin(context, recorder)
        : this.#twin.transition(from, context, event, recorder)
    if (snapshot.status === "error") throw snapshot.error
    const target = this.#stateOf(snapshot)
    const recorded = recorder.finish(target)
    if (this.#count++ < maxCachedTransitions) {
      if (last === null) transitions.set(key, recorded)
      else last[result ? "ifTrue" : "ifFalse"] = recorded
    }
    return target
  }

  #stateOf(snapshot: AnyMachineSnapshot): CachedState {
    const key = `${snapshot.status} ${JSON.stringify(snapshot.value)}`
    const cached = this.#states.get(key)
    if (cached !== undefined) return cached
    const state: CachedState = {
      snapshot: { ...snapshot, context: {} },
      transitions: new Map(),
    }
    if (this.#count < maxCachedTransitions) this.#states.set(key, state)
    return state
  }
}
