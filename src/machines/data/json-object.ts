export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value of untrusted JSON is an object; lists and null are none. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
