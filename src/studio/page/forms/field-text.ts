import type { TypedJson } from "../client/parse-json.js"
import { parseJson } from "../client/parse-json.js"
import type { FormField } from "./form-fields.js"

/**
 * Returns the text that the input of a form field shows for a value. For example, a list is shown
 * with one item on each line. The text is empty if the value is undefined.
 */
export function textOfValue({ kind, choices }: FormField, value: unknown): string {
  if (value === undefined) return ""
  if (kind === "choice") return String(choices.findIndex((choice) => choice === value))
  if (kind === "lines" && Array.isArray(value)) return value.join("\n")
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * Parses the text in the input of a form field. Returns the value or an error message. The value of
 * an empty text is undefined.
 */
export function valueOfText(field: FormField, text: string): TypedJson<unknown> {
  const { kind, name, choices, allowsNumber } = field
  if (text.trim() === "") return { ok: true, value: undefined }
  if (kind === "json") return parseJson(text, name)
  if (kind === "choice") return { ok: true, value: choices[Number(text)] }
  if (kind === "boolean") return { ok: true, value: text === "true" }
  if (kind === "lines")
    return {
      ok: true,
      value: text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    }
  const isNumber = Number.isFinite(Number(text))
  if (kind === "number" && !isNumber) return { ok: false, message: `${name} must be a number.` }
  const asNumber = kind === "number" || (kind === "text" && allowsNumber && isNumber)
  return { ok: true, value: asNumber ? Number(text) : text }
}
