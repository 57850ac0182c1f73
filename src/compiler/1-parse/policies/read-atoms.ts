import type { Outcome } from "../../../machines/contract/run-event.js"
import type { Atom } from "../../../policies/atom.js"
import type { OccurrenceKind } from "../../../policies/occurrence.js"
import { occurrenceKinds } from "../../../policies/occurrence.js"
import { finishedOutcomes } from "../../../policies/policy.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import type { PolicyValue } from "./policy-diagnostic.js"
import {
  fieldAt,
  listed,
  readFlag,
  readNames,
  readWord,
  reportPolicyError,
} from "./policy-diagnostic.js"

export const outcomes = [
  "done",
  "exited",
  "escalated",
  "handedOff",
  "failed",
  "limited",
  "stopped",
] as const satisfies readonly Outcome[]

export const runWords = ["started", "completed", "failed", "limit", "stopped"] as const

export const filters: Readonly<Record<string, readonly OccurrenceKind[] | "all">> = {
  by: "all",
  in: "all",
  except: "all",
  approved: ["call"],
  outcome: ["finish"],
  equals: ["write"],
}

/**
 * Parses an atom, which is a condition on a single event such as `{ call: pay }`, or a list of
 * atoms. Returns null if one of them is invalid.
 */
export function readAtoms(source: PolicyValue, what: string): readonly Atom[] | null {
  if (!Array.isArray(source.value)) {
    const atom = readAtom(source, what)
    return atom === null ? null : [atom]
  }
  if (source.value.length === 0)
    return reportPolicyError(
      source,
      `needs at least one atom for "${what}"`,
      "Write an atom such as { call: pay }.",
    )
  const atoms = source.value.map((_, index) => readAtom(fieldAt(source, index), what))
  return atoms.every((atom) => atom !== null) ? atoms : null
}

function readAtom(source: PolicyValue, what: string): Atom | null {
  if (!isJsonObject(source.value))
    return reportPolicyError(
      source,
      `needs an atom for "${what}"`,
      "Write an atom such as { call: pay }.",
    )
  const names = Object.keys(source.value)
  const kinds = occurrenceKinds.filter((kind) => names.includes(kind))
  const unknown = names.filter(
    (name) => !kinds.some((kind) => kind === name) && !Object.hasOwn(filters, name),
  )
  for (const name of unknown) {
    const suggestion = source.file.suggest(name, [...occurrenceKinds, ...Object.keys(filters)])
    reportPolicyError(
      fieldAt(source, name),
      `has an atom with the unknown key "${name}" in "${what}"`,
      `${didYouMean(suggestion)}An atom has one of the keys ${listed(occurrenceKinds)}, and the filters ${listed(Object.keys(filters))}.`,
      "key",
    )
  }
  const [kind, second] = kinds
  if (kind === undefined)
    return unknown.length > 0
      ? null
      : reportPolicyError(
          source,
          `has an atom without a key in "${what}"`,
          `Write one of ${listed(occurrenceKinds)}, such as { call: pay }.`,
        )
  if (second !== undefined)
    return reportPolicyError(
      source,
      `has an atom with both "${kind}" and "${second}" in "${what}", but an atom can only have one of them`,
      `Write one atom for each in a list: [{ ${kind}: ... }, { ${second}: ... }].`,
    )
  return unknown.length > 0 ? null : readAtomOf(kind, source, what)
}

function readAtomOf(kind: OccurrenceKind, source: PolicyValue, what: string): Atom | null {
  // The caller has checked that the value is an object.
  const value = source.value as Readonly<Record<string, unknown>>
  const named = fieldAt(source, kind)
  const found = kind === "run" ? readRunWords(named) : readNames(named, `"${kind}" in "${what}"`)
  let isValid = found !== null
  const filter = <Value>(
    name: string,
    read: (source: PolicyValue) => Value | null,
  ): Value | null => {
    if (!Object.hasOwn(value, name)) return null
    const kinds = filters[name]
    if (kinds !== "all" && kinds?.includes(kind) !== true) {
      isValid = false
      return reportPolicyError(
        fieldAt(source, name),
        `has the filter "${name}" at "${kind}" in "${what}", where it means nothing`,
        `Remove it: "${name}" belongs to ${listed(kinds ?? [], "or")}.`,
        "key",
      )
    }
    const read_ = read(fieldAt(source, name))
    if (read_ === null) isValid = false
    return read_
  }
  const names = (name: string) => filter(name, (inner) => readNames(inner, `"${name}"`))
  const by = names("by")
  const inside = names("in")
  const except = names("except") ?? []
  const approved = filter("approved", (inner) => readFlag(inner, `"approved"`))
  const outcome = filter("outcome", readOutcomes)
  const equals = filter("equals", (inner) => ({ value: inner.value }))
  if (!isValid || found === null) return null
  return {
    kind,
    names: found,
    by,
    inside,
    except,
    approved,
    outcomes: outcome ?? finishedOutcomes,
    equals,
  }
}

function readRunWords(source: PolicyValue): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(source.value) ? source.value : [source.value]
  const words = list.map((value) => readWord({ ...source, value }, `"run"`, runWords))
  return words.every((word) => word !== null) ? words : null
}

function readOutcomes(source: PolicyValue): readonly Outcome[] | null {
  const list: readonly unknown[] = Array.isArray(source.value) ? source.value : [source.value]
  const words = list.map((value) => readWord({ ...source, value }, `"outcome"`, outcomes))
  return words.every((word) => word !== null) ? words : null
}
