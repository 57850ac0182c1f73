export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object. Returns false for null and for lists. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns whether a value is a list. Unlike `Array.isArray`, which narrows to `any[]`, narrows the
 * type to `readonly unknown[]`.
 */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
