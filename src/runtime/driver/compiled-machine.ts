import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { CachedState, CachedTransition, StepExecutor } from "./transition-cache.js"
import { TransitionRecorder } from "./transition-cache.js"
import type { MachineProgram, Program } from "./program.js"
import { eventCacheKey } from "./event-cache-key.js"
import type { XStateTwin } from "./xstate-twin.js"
import { xstateTwin } from "./xstate-twin.js"

/** A machine of a chart, ready for the driver. */
export interface CompiledMachine {
  readonly program: MachineProgram
  initial(context: object, executor: StepExecutor): CachedState
  transition(
    from: CachedState,
    context: object,
    event: MachineEvent,
    executor: StepExecutor,
  ): CachedState
}

/** Ways that are remembered of one machine, so that a chart with many regions does not fill the memory. */
const maxCachedTransitions = 20_000

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

const beginning: MachineEvent = { type: "xstate.init" }

/**
 * XState decides what an event does the first time; after that the way is remembered, and only its guards are asked and its actions
 * carried out (docs/architecture.md, "Two interpreters").
 */
function compileMachine(program: MachineProgram): CompiledMachine {
  let twin: XStateTwin | null = null
  const configurations = new Map<string, CachedState>()
  const begun = new Map<string, CachedTransition>()
  const keyOf = eventCacheKey(program.config)
  let remembered = 0

  const configurationOf = (snapshot: AnyMachineSnapshot): CachedState => {
    const key = `${snapshot.status} ${JSON.stringify(snapshot.value)}`
    const known = configurations.get(key)
    if (known !== undefined) return known
    const configuration = {
      snapshot: { ...snapshot, context: {} } as AnyMachineSnapshot,
      known: new Map<string, CachedTransition>(),
    }
    if (remembered < maxCachedTransitions) configurations.set(key, configuration)
    return configuration
  }

  const go = (
    known: Map<string, CachedTransition>,
    from: AnyMachineSnapshot | null,
    context: object,
    event: MachineEvent,
    executor: StepExecutor,
  ): CachedState => {
    const key = keyOf(event)
    let at = known.get(key)
    let before: CachedTransition | null = null
    let answer = false
    while (at !== undefined) {
      for (const { type, params, raised } of at.actions) executor.act(type, params, raised ?? event)
      if (at.end !== null) return at.end
      const { guard } = at
      if (guard === null) break
      before = at
      answer = executor.ask(guard.type, guard.params, guard.raised ?? event)
      at = (answer ? at.holds : at.fails) ?? undefined
    }
    // Nobody has gone this way: XState is asked, and given the answers that are known.
    twin ??= xstateTwin(program)
    const trail = new TransitionRecorder(executor, event, before && { decision: before, answer })
    const snapshot =
      from === null ? twin.begin(context, trail) : twin.transition(from, context, event, trail)
    if (snapshot.status === "error") throw snapshot.error
    const end = configurationOf(snapshot)
    const found = trail.endsIn(end)
    if (remembered++ < maxCachedTransitions) {
      if (before === null) known.set(key, found)
      else before[answer ? "holds" : "fails"] = found
    }
    return end
  }

  return {
    program,
    initial: (context, executor) => go(begun, null, context, beginning, executor),
    transition: (from, context, event, executor) =>
      go(from.known, from.snapshot, context, event, executor),
  }
}
