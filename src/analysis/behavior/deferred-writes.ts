import type { RunEffect, Variant, Writer } from "./behavior.js"
import type { Setting } from "./setting.js"

/**
 * Returns the keys that a list of effects writes. A run emits the writes of an agent after the
 * agent has finished or while it waits for a person. Enclosing agents emit the same keys again when
 * they merge the changes.
 */
export function writesIn(effects: readonly RunEffect[]): readonly string[] {
  const keys: string[] = []
  for (const effect of effects)
    if (effect.type === "write") keys.push(effect.key)
    else if (effect.type === "steps") keys.push(...writesIn(effect.visible))
  return keys
}

/** Returns all keys of two lists, each once, in order. */
export const unionOfKeys = (
  one: readonly string[],
  other: readonly string[],
): readonly string[] => {
  if (other.every((key) => one.includes(key))) return one
  return [...new Set([...one, ...other])].sort()
}

/** Returns the effects of an agent whose writes are emitted later. */
export const withoutReports = (effects: readonly RunEffect[]): readonly RunEffect[] =>
  effects.some(({ type }) => type === "write")
    ? effects.map((effect) => (effect.type === "write" ? { ...effect, isReported: false } : effect))
    : effects

/** Returns the effects that emit the written keys of an agent. */
export const reportsOf = (
  keys: readonly string[],
  by: Writer,
  { readsWrites }: Setting,
): readonly RunEffect[] =>
  readsWrites ? keys.map((key): RunEffect => ({ type: "reported", key, by })) : []

/** Adds the effects that emit written keys to the end of a behavior. */
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
