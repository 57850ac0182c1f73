import { readArtifact, textOfArtifact } from "../contract/artifacts.js"
import type { SessionState } from "../data/session-state.js"
import { hasKey, readKey } from "../data/session-state.js"

export type FilledInstruction =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: string }

/**
 * Matches text in one or more braces, such as `{key}`, `{{key}}`, `{ key? }`, `{artifact.notes.md}`
 * and `{user:lang}`.
 */
const placeholder = /\{+([^{}]*)\}+/g

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Returns whether a name is a state key without a prefix such as `user:`. */
export const isStateKey = (name: string): boolean => identifier.test(name)

const prefixes = ["app:", "user:", "temp:"]

/**
 * Fills an instruction of the adk dialect with values from the session state
 * (docs/semantics.md#instructions). Braces around text that is not a name are kept. Placeholders in
 * inserted values are not filled, and `null` becomes the empty string. A missing `{key}` is an
 * error. A missing `{key?}` becomes the empty string.
 */
export function fillInstruction(template: string, state: SessionState): FilledInstruction {
  let missing: string | null = null
  const text = template.replace(placeholder, (whole, inner: string) => {
    const trimmed = inner.trim()
    const optional = trimmed.endsWith("?")
    const name = optional ? trimmed.slice(0, -1) : trimmed
    const found = lookUp(name, state)
    if (found === null) return whole
    if (found.value !== undefined) return textOf(found.value)
    if (!optional) missing ??= name
    return ""
  })
  return missing === null ? { ok: true, text } : { ok: false, missing }
}

/**
 * Returns the state keys that an instruction reads. Leaves out artifacts and keys with a prefix
 * such as `user:`, because earlier sessions and host functions may write them.
 */
export function keysIn(
  template: string,
): readonly { readonly key: string; readonly optional: boolean }[] {
  return [...template.matchAll(placeholder)].flatMap(([, inner = ""]) => {
    const trimmed = inner.trim()
    const optional = trimmed.endsWith("?")
    const key = optional ? trimmed.slice(0, -1) : trimmed
    return identifier.test(key) ? [{ key, optional }] : []
  })
}

/** Returns whether a template contains a placeholder for a name. */
export const hasPlaceholder = (template: string): boolean =>
  [...template.matchAll(placeholder)].some(([, inner = ""]) =>
    isName(inner.trim().replace(/\?$/, "")),
  )

const isName = (name: string): boolean =>
  name.startsWith(artifactPrefix)
    ? name.length > artifactPrefix.length
    : identifier.test(name.slice(prefixOf(name).length))

const artifactPrefix = "artifact."

const prefixOf = (name: string): string => prefixes.find((known) => name.startsWith(known)) ?? ""

/**
 * Looks up a name in the state. Returns null if the text is not a valid name, and an empty object
 * if the name has no value.
 */
export function lookUp(name: string, state: SessionState): { readonly value?: unknown } | null {
  if (!isName(name)) return null
  if (name.startsWith(artifactPrefix)) {
    const called = name.slice(artifactPrefix.length)
    const artifact = readArtifact(state, called)
    return artifact === undefined ? {} : { value: textOfArtifact(called, artifact) }
  }
  return hasKey(state, name) ? { value: readKey(state, name) ?? null } : {}
}

export const textOf = (value: unknown): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
