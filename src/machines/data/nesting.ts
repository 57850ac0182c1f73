/** Deeper data is none that anybody meant, and would overflow the stack of whoever walks or writes it. Data that contains itself is deeper too. */
export const deepestData = 500

/** Whether data nests deeper than so many lists and objects. Goes no deeper itself. */
export function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if (limit === 0) return true
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (typeof inner === "object" && inner !== null && isDeeperThan(limit - 1, inner)) return true
  }
  return false
}
