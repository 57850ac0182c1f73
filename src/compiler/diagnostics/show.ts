const longest = 60

/**
 * Returns a short description of a value for a message. Never includes the contents of objects and
 * lists, which may be large or secret.
 */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "object" && value !== null) return "an object"
  if (typeof value !== "string") return String(value)
  return value.length <= longest
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, longest - 3))}...`
}

/** Joins words with commas and "or", such as `a, b or c`. */
export const oneOfThese = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
