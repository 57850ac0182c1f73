import { readArtifact, textOfArtifact } from "../contract/artifacts.js"
import { isJsonObject } from "../data/json-object.js"
import { scopePrefixOf } from "../data/key-scope.js"
import type { SessionState } from "../data/session-state.js"
import { hasKey, readKey } from "../data/session-state.js"

export type FilledInstruction =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: string }

/**
 * Matches a text in one or more braces, such as `{key}`, `{{key}}`, `{ key? }`,
 * `{artifact.notes.md}` and `{user:lang}`.
 */
const placeholder = /\{+([^{}]*)\}+/g

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u

/**
 * Returns whether a name is a valid state key without a prefix such as `user:`. Such a key consists
 * of letters, digits and `_`, and does not start with a digit.
 */
export const isStateKey = (name: string): boolean => identifier.test(name)

/**
 * Replaces the placeholders of an instruction with values of the session state
 * (docs/semantics.md#instructions). Braces around text that is not a valid name are kept.
 * Placeholders in inserted values are not replaced. The value null becomes an empty string. If
 * `{key}` has no value, returns the missing key. If `{key?}` has no value, inserts an empty string.
 */
export function fillInstruction(
  template: string,
  state: SessionState,
  nodeValues?: NodeValues,
): FilledInstruction {
  let missing: string | null = null
  const fill = (whole: string, inner: string): string => {
    const trimmed = inner.trim()
    const optional = trimmed.endsWith("?")
    const name = optional ? trimmed.slice(0, -1) : trimmed
    const found = lookUp(name, state) ?? fieldOfInput(name, nodeValues)
    if (found === null) return whole
    if (found.value !== undefined) return textOf(found.value)
    if (!optional) missing ??= name
    return ""
  }
  const text =
    nodeValues === undefined
      ? template.replace(placeholder, fill)
      : template.replace(nodePlaceholder, (whole, inner?: string, path = "", node = "") =>
          inner === undefined ? fieldOfOutput(path, node, nodeValues) : fill(whole, inner),
        )
  return missing === null ? { ok: true, text } : { ok: false, missing }
}

/**
 * The values of a workflow graph that an instruction can insert. They are the input of the agent's
 * node, and the last outputs of the other nodes by node id.
 */
export interface NodeValues {
  readonly input: unknown
  readonly outputs: Readonly<Record<string, unknown>>
}

/**
 * Matches a placeholder in braces, such as `{key}`, or a placeholder such as
 * `<Brief.topic from plan>`. The latter inserts the field `topic` from the output of the graph node
 * `plan`.
 */
const nodePlaceholder = new RegExp(
  `${placeholder.source}|<[\\p{L}_][\\p{L}\\p{N}_]*\\.([\\p{L}\\p{N}_.]+)\\s+from\\s+([^<>\\s]+)>`,
  "gu",
)

/**
 * Returns a field from the output of the graph node `node` as text. Returns an empty string if the
 * field does not exist.
 */
function fieldOfOutput(path: string, node: string, { outputs }: NodeValues): string {
  const output = Object.hasOwn(outputs, node) ? outputs[node] : undefined
  return textOf(readField(output, path) ?? null)
}

/**
 * Returns the value of a placeholder such as `{Brief.topic}`, which inserts the field `topic` of
 * the graph node's input. If the field does not exist, returns `{}`. If the name has no dot or the
 * agent is not in such a graph, returns null.
 */
function fieldOfInput(
  name: string,
  nodeValues: NodeValues | undefined,
): { readonly value?: unknown } | null {
  if (nodeValues === undefined || !dottedName.test(name)) return null
  const value = readField(nodeValues.input, name.slice(name.indexOf(".") + 1))
  return value === undefined ? {} : { value }
}

const dottedName = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+$/u

function readField(value: unknown, path: string): unknown {
  let current = value
  for (const field of path.split(".")) {
    if (!isJsonObject(current) || !Object.hasOwn(current, field)) return undefined
    current = current[field]
  }
  return current
}

/**
 * Returns the state keys that the placeholders of an instruction read. The result does not contain
 * artifacts and keys with a prefix such as `user:`, because earlier sessions and host functions can
 * write them.
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

/**
 * Returns whether a template contains at least one placeholder with a valid name, such as `{key}`.
 */
export const hasPlaceholder = (template: string): boolean =>
  [...template.matchAll(placeholder)].some(([, inner = ""]) =>
    isName(inner.trim().replace(/\?$/, "")),
  )

const isName = (name: string): boolean =>
  name.startsWith(artifactPrefix)
    ? name.length > artifactPrefix.length
    : identifier.test(name.slice(scopePrefixOf(name).length))

const artifactPrefix = "artifact."

/**
 * Returns the value from the session state for the name in a placeholder, such as `key`,
 * `user:lang` or `artifact.notes.md`. Returns null if the name is not valid, and `{}` if the state
 * has no value for it.
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
