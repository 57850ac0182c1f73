import type { JsonObject } from "../../../machines/data/json-object.js"

type Settings = Readonly<
  Record<
    | "temperature"
    | "topP"
    | "topK"
    | "maxOutputTokens"
    | "seed"
    | "presencePenalty"
    | "frequencyPenalty",
    number
  >
> & { readonly stopSequences: string[] }

const numbers = [
  "temperature",
  "topP",
  "topK",
  "maxOutputTokens",
  "seed",
  "presencePenalty",
  "frequencyPenalty",
] as const

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Converts ADK's `generateContentConfig` to call settings of the AI SDK. Ignores fields that the
 * SDK does not support and values that have a wrong type.
 */
export function callSettings(config: JsonObject): Partial<Settings> {
  const found = (name: string): unknown => config[name] ?? config[snakeCase(name)]
  const settings: Partial<Record<(typeof numbers)[number], number>> = {}
  for (const name of numbers) {
    const value = found(name)
    if (typeof value === "number") settings[name] = value
  }
  const stops = found("stopSequences")
  return {
    ...settings,
    ...(Array.isArray(stops) &&
      stops.every((stop) => typeof stop === "string") && { stopSequences: stops }),
  }
}
