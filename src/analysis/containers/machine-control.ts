import type { ChartMachine, ChartState, StateMeta } from "../../machines/contract/chart-machine.js"
import type { Behavior, Control, End, RunEffect, Variant } from "../behavior/behavior.js"
import { unionOfKeys, writesIn } from "../behavior/deferred-writes.js"
import type { Flags } from "./machine-flags.js"
import { liveFlags, noteEscalation, withFlags } from "./machine-flags.js"

/**
 * A control state in the transition system of a machine. It contains the path of the active state
 * and the counters of the machine. `inner` is the control state of the invoked actor or of the
 * parallel regions.
 */
export interface MachineControl extends Control {
  readonly path: string
  readonly inner: Control | null
  readonly flags: Flags
  /**
   * Set if the machine continues from this state without a response of a model, a tool or a person.
   * Otherwise null.
   */
  readonly passing: Passing | null
}

/**
 * How the machine continues without a response. `entering` lists the states that it enters next.
 * Guards can read `end`, the result of the actor or region that has just ended.
 */
interface Passing {
  readonly end: End
  readonly entering: readonly string[]
}

export function machineControl(
  machine: ChartMachine,
  path: string,
  inner: Control | null,
  all: Flags,
  passing: Passing | null = null,
): MachineControl {
  const flags = liveFlags(all, path, machine)
  const key = [path, inner?.key ?? "", flags, ...(passing === null ? [] : [passing])]
  return { key: JSON.stringify(key), path, inner, flags, passing }
}

export const checksCondition = ({ entry = [] }: ChartState): boolean =>
  entry.some(({ type }) => type === "checkWhen" || type === "checkExitCondition")

/**
 * Returns whether an effect is a message of the user, or combines several effects that include such
 * a message.
 */
export const containsMessage = (effect: RunEffect): boolean =>
  effect.type === "steps" ? effect.visible.some(containsMessage) : effect.type === "userMessage"

/**
 * Extends a transition system so that it collects the session state keys that the machine writes.
 * The enclosing agent needs the keys, because it emits their write events when the machine ends.
 */
export function collectWrites(
  { start, moves, waits }: Behavior<MachineControl>,
  machine: ChartMachine,
): Behavior<MachineControl> {
  return {
    start: () => start().map((step) => withCollectedWrites(step, "", machine)),
    moves: (state) =>
      moves(state).map((step) =>
        withCollectedWrites(step, String(state.flags["wrote"] ?? ""), machine),
      ),
    waits,
  }
}

function withCollectedWrites<Step extends Variant<MachineControl>>(
  step: Step,
  before: string,
  machine: ChartMachine,
): Step {
  const own = writesIn(step.effects)
  const { next, end } = step
  if (own.length === 0 && before === "" && (end?.wrote.length ?? 0) === 0) return step
  const keys = unionOfKeys(before === "" ? [] : before.split("\n"), [...own, ...(end?.wrote ?? [])])
  if (next === null) return { ...step, end: end === null ? null : { ...end, wrote: keys } }
  const flags = withFlags(next.flags, { wrote: keys.join("\n") })
  return { ...step, next: machineControl(machine, next.path, next.inner, flags, next.passing) }
}

/**
 * Returns the flags of a machine after its parallel state has ended. `someFailed` and
 * `someEscalated` store whether a branch has failed or escalated.
 */
export const flagsAfterBranches = (flags: Flags, end: End, meta: StateMeta | null): Flags =>
  withFlags(end.escalates ? noteEscalation(flags, meta) : flags, {
    someFailed: end.someFailed ? 1 : 0,
    someEscalated: end.someEscalated ? 1 : 0,
  })
