import type { Suggest } from "../../../machines/data/suggest.js"

/**
 * Returns the agent type that the user probably meant, or null. The ending `Agent` may be missing:
 * `Sequential` means `SequentialAgent`.
 */
export function intendedType(
  type: string,
  types: readonly string[],
  suggest: Suggest,
): string | null {
  const full = `${type}Agent`
  return types.includes(full) ? full : (suggest(full, types) ?? suggest(type, types))
}
