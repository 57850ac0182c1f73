import type { JsonObject } from "../../../machines/data/json-object.js"

/**
 * The supported fields of ADK's `generateContentConfig`, with the names of the corresponding fields
 * of the chat completions API.
 */
const settings: Readonly<Record<string, string>> = {
  temperature: "temperature",
  topP: "top_p",
  maxOutputTokens: "max_completion_tokens",
  stopSequences: "stop",
  seed: "seed",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function generationSettings(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const known = camelCase(name)
      const setting = Object.hasOwn(settings, known) ? settings[known] : undefined
      return setting === undefined ? [] : [[setting, value]]
    }),
  )
}
