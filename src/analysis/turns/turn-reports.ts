import type { Behavior, Variant } from "../behavior/behavior.js"
import { reportsOf, unionOfKeys, withoutReports, writesIn } from "../behavior/deferred-writes.js"
import type { Turn, TurnControl } from "./turn.js"
import { withUnreported } from "./turn.js"

/**
 * Delays the write events of a turn. The run emits these events when the turn ends or waits for a
 * person, not when a value is written (docs/policies.md#atoms).
 */
export function reportingLater(
  { start, moves, waits }: Behavior<TurnControl>,
  { base, location, setting }: Turn,
): Behavior<TurnControl> {
  const later = <Step extends Variant<TurnControl>>(
    before: readonly string[],
    wasWaiting: boolean,
    step: Step,
  ): readonly Step[] => {
    const keys = unionOfKeys(before, writesIn(step.effects))
    const effects = withoutReports(step.effects)
    const { next, end } = step
    if (next === null)
      return [{ ...step, effects, end: end === null ? null : { ...end, wrote: keys } }]
    const later: Step = { ...step, effects, next: withUnreported(next, keys) }
    if (keys.length === 0 || wasWaiting || !location.reportsPauses) return [later]
    const paused: Step = { ...later, effects: [...effects, ...reportsOf(keys, base, setting)] }
    if (waits(next)) return [paused]
    // The target of an AgentTool may wait for people.
    return next.calls.some(({ inner }) => inner !== null) ? [later, paused] : [later]
  }
  return {
    start: () => start().flatMap((variant) => later([], false, variant)),
    moves: (state) => moves(state).flatMap((move) => later(state.unreported, waits(state), move)),
    waits,
  }
}
