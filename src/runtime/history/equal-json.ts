/** Returns whether two JSON values are equal, regardless of the order of keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return Number.isNaN(one) && Number.isNaN(other)
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => sameJson(value, other[index]))
    )
  }
  const entries = Object.entries(one).filter(([, value]) => value !== undefined)
  const others = Object.entries(other).filter(([, value]) => value !== undefined)
  return (
    entries.length === others.length &&
    entries.every(
      ([key, value]) =>
        Object.hasOwn(other, key) &&
        sameJson(value, (other as Readonly<Record<string, unknown>>)[key]),
    )
  )
}
