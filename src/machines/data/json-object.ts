export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object, and not null or a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
