const longest = 120

/** A value in one short line, for people. */
export function shown(value: unknown): string {
  if (value === undefined) return "absent"
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}...`
}
