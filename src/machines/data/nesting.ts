/**
 * Maximum number of nested levels of lists and objects in external data, such as tool results.
 * Deeper data, or data that contains itself, could overflow the stack of recursive functions.
 */
export const maxDataDepth = 500

/**
 * Returns whether a value has more than `limit` nested levels of lists and objects. The search
 * stops at the limit, so it also ends for a value that contains itself.
 */
export function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if (limit === 0) return true
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (typeof inner === "object" && inner !== null && isDeeperThan(limit - 1, inner)) return true
  }
  return false
}
