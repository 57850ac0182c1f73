import type { Outcome } from "../machines/contract/run-event.js"
import { systemKeys } from "../machines/data/system-keys.js"
import type { Occurrence, OccurrenceKind } from "./occurrence.js"

/** Names of agents, tools, keys or models. `*` in a name stands for any text. */
export type NamePattern = readonly string[]

/** Describes a set of occurrences: their kind, their names and their agents. */
export interface Atom {
  readonly kind: OccurrenceKind
  readonly names: NamePattern
  /** Agents that cause the occurrence; null: any agent. */
  readonly by: NamePattern | null
  /** Agents that must contain the occurrence. null: any position. */
  readonly inside: NamePattern | null
  readonly except: NamePattern
  /** Only for calls: whether a person must have approved the call. null: approval is irrelevant. */
  readonly approved: boolean | null
  /** Only for `finish`. */
  readonly outcomes: readonly Outcome[]
  /** Only for `write`: the value that is written. */
  readonly equals: { readonly value: unknown } | null
}

const patterns = new Map<string, RegExp>()

/** Returns whether a name matches a pattern in which `*` stands for any text. */
function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name
  let expression = patterns.get(pattern)
  if (expression === undefined) {
    const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    expression = new RegExp(`^${parts.join(".*")}$`, "su")
    patterns.set(pattern, expression)
  }
  return expression.test(name)
}

export const matchesAny = (names: NamePattern, name: string): boolean =>
  names.some((pattern) => matchesName(pattern, name))

/** Returns whether an occurrence matches an atom. */
export function matchesAtom(atom: Atom, occurrence: Occurrence): boolean {
  if (atom.kind !== occurrence.kind || !matchesNames(atom, occurrence)) return false
  if (matchesAny(atom.except, occurrence.name)) return false
  if (atom.by !== null && !matchesAny(atom.by, occurrence.agent)) return false
  if (atom.inside !== null && !isInside(atom.inside, occurrence)) return false
  if (atom.approved !== null && atom.approved !== (occurrence.approved ?? false)) return false
  if (atom.kind === "finish" && !atom.outcomes.includes(occurrence.outcome ?? "done")) return false
  return atom.equals === null || writesValue(atom.equals.value, occurrence)
}

/** Returns whether the occurrence is caused by one of these agents or happens inside one. */
export const isInside = (
  names: NamePattern,
  { agent, within }: Pick<Occurrence, "agent" | "within">,
): boolean =>
  matchesAny(names, agent) ||
  within.some((frame) => frame.agent !== null && matchesAny(names, frame.agent))

/**
 * Returns whether the name of an occurrence matches an atom. System keys do not match patterns with
 * `*`.
 */
const matchesNames = ({ kind, names }: Atom, { name }: Occurrence): boolean =>
  kind === "write" && systemKeys.has(name) ? names.includes(name) : matchesAny(names, name)

const writesValue = (value: unknown, occurrence: Occurrence): boolean =>
  occurrence.value !== undefined && JSON.stringify(occurrence.value) === JSON.stringify(value)
