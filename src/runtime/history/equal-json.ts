type Fields = Readonly<Record<string, unknown>>

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
  return sameFields(one as Fields, other as Fields)
}

/** Compares two objects. A field whose value is undefined counts as absent. */
function sameFields(one: Fields, other: Fields): boolean {
  // Number of keys of `other` that `one` does not have.
  let additional = 0
  for (const key of Object.keys(one)) {
    const value = one[key]
    if (value === undefined) continue
    if (!Object.hasOwn(other, key) || !sameJson(value, other[key])) return false
    additional -= 1
  }
  for (const key of Object.keys(other)) if (other[key] !== undefined) additional += 1
  return additional === 0
}
