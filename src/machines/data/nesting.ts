/**
 * Maximum nesting depth of data. Recursive functions could overflow the stack for deeper data or
 * for data that contains itself.
 */
export const maxDataDepth = 500

/**
 * Returns whether data has more than `limit` nested levels of lists and objects. It does not search
 * deeper than the limit, so it also works for data that contains itself.
 */
export function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if (limit === 0) return true
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (typeof inner === "object" && inner !== null && isDeeperThan(limit - 1, inner)) return true
  }
  return false
}
