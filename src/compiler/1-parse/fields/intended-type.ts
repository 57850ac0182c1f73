import type { Suggest } from "../../../machines/data/suggest.js"

/**
 * Returns the agent type that the user probably meant, for example `SequentialAgent` for
 * `Sequential`. Returns null if no type is similar.
 */
export function intendedType(
  type: string,
  types: readonly string[],
  suggest: Suggest,
): string | null {
  const full = `${type}Agent`
  return types.includes(full) ? full : (suggest(full, types) ?? suggest(type, types))
}
