type Fields = Readonly<Record<string, unknown>>

/** Returns true if two JSON values are equal. The order of object keys does not matter. */
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

/** Compares two objects field by field. A field with the value undefined is treated as missing. */
function sameFields(one: Fields, other: Fields): boolean {
  // Number of keys that only `other` has.
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
