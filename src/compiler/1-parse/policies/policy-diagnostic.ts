import type { ConfigDocument } from "../../document/config-document.js"
import { childPointer } from "../../document/json-pointer.js"
import type { Suggest } from "../../../machines/data/suggest.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { isJsonObject } from "../../../machines/data/json-object.js"

/** An error in a policy file. Policies are rules that a workflow must follow. */
export interface PolicyDiagnostic {
  readonly code: "policy_syntax" | "policy_shape"
  readonly severity: "error"
  readonly message: string
  readonly fix: string
  /** Name of the policy that contains the error. Null if the error is outside of policies. */
  readonly policy: string | null
  readonly file: string | null
  readonly line: number
  readonly column: number
}

/** A value in a policy file, with its location and the subject of messages about the value. */
export interface PolicyValue {
  readonly value: unknown
  readonly pointer: string
  readonly file: PolicyFileReader
  /** The subject with which messages about the value begin, such as `the policy "payments"`. */
  readonly owner: string
  readonly policy: string | null
  /**
   * JSON pointer to the policy that contains the value. All errors in a policy are reported at the
   * position of the policy. Undefined if the value is not in a policy.
   */
  readonly entry?: string
}

export interface PolicyFileReader {
  readonly document: ConfigDocument
  readonly suggest: Suggest
  readonly diagnostics: PolicyDiagnostic[]
}

/**
 * Reports an error for a value in a policy file and returns null. `problem` is the end of the
 * message. The message begins with the `owner` of the value.
 */
export function reportPolicyError(
  { pointer, entry, file, owner, policy }: PolicyValue,
  problem: string,
  fix: string,
  part: "key" | "value" = "value",
): null {
  const { document, diagnostics } = file
  const { line = 1, column = 1 } =
    document.locate(entry ?? pointer, entry === undefined ? part : "value") ?? {}
  diagnostics.push({
    code: "policy_shape",
    severity: "error",
    message: `${owner.charAt(0).toUpperCase()}${owner.slice(1)} ${problem}.`,
    fix,
    policy,
    file: document.file,
    line,
    column,
  })
  return null
}

export const fieldAt = (source: PolicyValue, name: string | number): PolicyValue => ({
  ...source,
  pointer: childPointer(source.pointer, name),
  value:
    typeof source.value === "object" && source.value !== null
      ? (source.value as Readonly<Record<string | number, unknown>>)[name]
      : undefined,
})

/**
 * Returns the fields of an object in a policy file. Reports unknown fields and suggests a similar
 * name for each. If the value is not an object, reports an error and returns null.
 */
export function readObjectFields(
  source: PolicyValue,
  what: string,
  names: readonly string[],
): Readonly<Record<string, unknown>> | null {
  if (!isJsonObject(source.value)) {
    return reportPolicyError(
      source,
      `needs an object for ${what}`,
      `Write an object with ${listed(names)}.`,
    )
  }
  for (const name of Object.keys(source.value)) {
    if (names.includes(name)) continue
    const suggestion = source.file.suggest(name, names)
    reportPolicyError(
      fieldAt(source, name),
      `has the unknown field "${name}" in ${what}`,
      `${didYouMean(suggestion)}The fields are ${listed(names)}.`,
      "key",
    )
  }
  return source.value
}

/**
 * Returns a value that must be one of the given words. If it is another value, reports an error and
 * returns null.
 */
export function readWord<Word extends string>(
  source: PolicyValue,
  what: string,
  words: readonly Word[],
): Word | null {
  const found = words.find((word) => word === source.value)
  if (found !== undefined) return found
  const suggestion =
    typeof source.value === "string" ? source.file.suggest(source.value, words) : null
  return reportPolicyError(
    source,
    `has the wrong value ${shown(source.value)} for ${what}`,
    `${didYouMean(suggestion)}Write ${listed(words, "or")}.`,
  )
}

/**
 * Parses a name or a list of names and returns a list. If a name is empty or not a text, reports an
 * error and returns null.
 */
export function readNames(source: PolicyValue, what: string): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(source.value) ? source.value : [source.value]
  const names = list.filter((name): name is string => typeof name === "string" && name !== "")
  return names.length === list.length && names.length > 0
    ? names
    : reportPolicyError(
        source,
        `needs a name or a list of names for ${what}`,
        'Write a name such as "pay", or "*" for any.',
      )
}

export function readFlag(source: PolicyValue, what: string): boolean | null {
  return typeof source.value === "boolean"
    ? source.value
    : reportPolicyError(
        source,
        `needs true or false for ${what}, not ${shown(source.value)}`,
        "Write true or false.",
      )
}

export const listed = (words: readonly string[], last: "and" | "or" = "and"): string =>
  words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1) ?? ""}`

export const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object" && value !== null
        ? "an object"
        : String(value)
