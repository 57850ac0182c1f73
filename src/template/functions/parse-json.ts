import { TemplateFailed } from "../limits/template-errors.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * Parses a JSON text. First removes a Markdown code fence around the text, because models often add
 * a fence. Throws if the text is not JSON.
 */
export function parseJson(text: string, meter: TemplateMeter): unknown {
  meter.spend(text.length / 64)
  const json = withoutFence(text.trim())
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new TemplateFailed("$parseJson received a text that is not JSON", { cause })
  }
}

function withoutFence(text: string): string {
  if (!text.startsWith("```") || !text.endsWith("```") || text.length < 6) return text
  const line = text.indexOf("\n")
  return text.slice(line === -1 ? 3 : line + 1, -3)
}
