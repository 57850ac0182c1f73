const longest = 120

/**
 * Returns a value as JSON on one line. If the JSON has more than 120 characters, returns the first
 * 120 characters and `...`. For undefined, returns `absent`.
 */
export function abbreviateValue(value: unknown): string {
  if (value === undefined) return "absent"
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}...`
}
