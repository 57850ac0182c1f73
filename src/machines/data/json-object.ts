export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object that is neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns whether a value is an array. Narrows its type to `readonly unknown[]`, while
 * `Array.isArray` narrows to `any[]`.
 */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
