import { isStateKey, lookUp, textOf } from "../model-call/instruction-template.js"
import type { SessionState } from "../data/session-state.js"

/**
 * Matches one token of a prompt template, which is `{{`, `{key}`, `}}`, a single brace, or other
 * text.
 */
const parts = /\{\{|\{[^{}]*\}|\}\}|[{}]|[^{}]+/g

type Part =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "placeholder"
      readonly written: string
      readonly name: string
      readonly isOptional: boolean
    }

/**
 * Splits a prompt template into texts and placeholders such as `{key}`. `{{` is a literal `{`, and
 * the `}}` that closes it is a literal `}`.
 */
function partsOf(prompt: string): readonly Part[] {
  let open = 0
  return Array.from(prompt.matchAll(parts), ([part]): Part => {
    if (part === "{{") {
      open++
      return { type: "text", text: "{" }
    }
    if (part === "}}" || part === "}") {
      const closes = open > 0
      if (closes) open--
      return { type: "text", text: closes ? "}" : part }
    }
    if (part === "{" || !part.startsWith("{")) return { type: "text", text: part }
    const written = part.slice(1, -1).trim()
    const isOptional = written.endsWith("?")
    return {
      type: "placeholder",
      written: part,
      name: isOptional ? written.slice(0, -1) : written,
      isOptional,
    }
  })
}

export interface FilledPrompt {
  readonly text: string
  /** Names of the placeholders that have no value. `text` contains these placeholders unchanged. */
  readonly missing: readonly string[]
}

/**
 * Replaces the placeholders in a HumanAgent's prompt with values of the session state
 * (docs/semantics.md#pending-requests). A `{key}` without a value remains in the text, so that the
 * person sees it. A `{key?}` without a value becomes an empty string.
 */
export function fillPrompt(prompt: string, state: SessionState): FilledPrompt {
  const missing: string[] = []
  const text = partsOf(prompt)
    .map((part) => {
      if (part.type === "text") return part.text
      const found = lookUp(part.name, state)
      if (found === null) return part.written
      if (found.value !== undefined) return textOf(found.value)
      if (part.isOptional) return ""
      missing.push(part.name)
      return part.written
    })
    .join("")
  return { text, missing }
}

/**
 * Returns the state keys that the placeholders of a prompt read. The result does not contain
 * artifacts and keys with a prefix such as `user:`.
 */
export const keysInPrompt = (
  prompt: string,
): readonly { readonly key: string; readonly optional: boolean }[] =>
  partsOf(prompt).flatMap((part) =>
    part.type === "placeholder" && isStateKey(part.name)
      ? [{ key: part.name, optional: part.isOptional }]
      : [],
  )
