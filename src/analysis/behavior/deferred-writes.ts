import type { RunEffect, Variant, Writer } from "./behavior.js"
import type { Setting } from "./setting.js"

/**
 * Returns the session state keys that a list of effects writes. The keys must be stored, because a
 * run emits write events only when the agent has finished or waits for a person. Enclosing agents
 * emit the same keys again when they merge the changes.
 */
export function writesIn(effects: readonly RunEffect[]): readonly string[] {
  const keys: string[] = []
  for (const effect of effects)
    if (effect.type === "write") keys.push(effect.key)
    else if (effect.type === "steps") keys.push(...writesIn(effect.visible))
  return keys
}

/**
 * Returns the union of two lists of keys, sorted and without duplicates. If the first list already
 * contains all keys, returns it unchanged.
 */
export const unionOfKeys = (
  one: readonly string[],
  other: readonly string[],
): readonly string[] => {
  if (other.every((key) => one.includes(key))) return one
  return [...new Set([...one, ...other])].sort()
}

/**
 * Marks all writes in the effects as not reported yet. The run emits their write events later, when
 * the agent has finished or waits for a person.
 */
export const withoutReports = (effects: readonly RunEffect[]): readonly RunEffect[] =>
  effects.some(({ type }) => type === "write")
    ? effects.map((effect) => (effect.type === "write" ? { ...effect, isReported: false } : effect))
    : effects

/**
 * Returns the effects that report the writes of `keys` to the policy. Returns an empty list if the
 * policy does not depend on writes.
 */
export const reportsOf = (
  keys: readonly string[],
  by: Writer,
  { readsWrites }: Setting,
): readonly RunEffect[] =>
  readsWrites ? keys.map((key): RunEffect => ({ type: "reported", key, by })) : []

/**
 * Returns the step. If the step ends the agent, appends effects that report the writes of the keys
 * in `end.wrote` to the policy.
 */
export const reportAtEnd = <Step extends Variant>(
  variant: Step,
  by: Writer,
  setting: Setting,
): Step =>
  variant.end === null || variant.end.wrote.length === 0
    ? variant
    : {
        ...variant,
        effects: [...variant.effects, ...reportsOf(variant.end.wrote, by, setting)],
      }
