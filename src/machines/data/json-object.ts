export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object. Returns false for null and for lists. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
