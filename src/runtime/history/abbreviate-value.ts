const longest = 120

/** Returns a value as JSON on one line, shortened to at most 120 characters. */
export function abbreviateValue(value: unknown): string {
  if (value === undefined) return "absent"
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}...`
}
