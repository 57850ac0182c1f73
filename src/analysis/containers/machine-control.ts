import type { ChartMachine, ChartState, StateMeta } from "../../machines/contract/chart-machine.js"
import type { Behavior, Control, End, RunEffect, Variant } from "../behavior/behavior.js"
import { unionOfKeys, writesIn } from "../behavior/deferred-writes.js"
import type { Flags } from "./machine-flags.js"
import { liveFlags, noteEscalation, withFlags } from "./machine-flags.js"

/**
 * A control state in the transition system of a machine. It consists of the active atomic or
 * parallel state, the control state of its actor or regions, and the counters of the machine.
 */
export interface MachineControl extends Control {
  readonly path: string
  readonly inner: Control | null
  readonly flags: Flags
  /**
   * The next step that the machine takes without a response. null if the machine waits in this
   * state.
   */
  readonly passing: Passing | null
}

/**
 * A continuation that needs no response. `end` is the end of an actor or region to which the
 * machine reacts, and `entering` lists the states that it enters first.
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

/** Returns whether an effect is a message of the user or contains one. */
export const containsMessage = (effect: RunEffect): boolean =>
  effect.type === "steps" ? effect.visible.some(containsMessage) : effect.type === "userMessage"

/**
 * Returns the transition system, extended so that it collects the session state keys that the
 * machine writes. When the machine ends, the enclosing agent emits the write events of these keys.
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
 * Returns the flags of a machine after its parallel state has ended. They contain whether branches
 * failed or escalated.
 */
export const flagsAfterBranches = (flags: Flags, end: End, meta: StateMeta | null): Flags =>
  withFlags(end.escalates ? noteEscalation(flags, meta) : flags, {
    someFailed: end.someFailed ? 1 : 0,
    someEscalated: end.someEscalated ? 1 : 0,
  })
