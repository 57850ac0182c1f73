import type { Outcome } from "../machines/contract/run-event.js"
import { systemKeys } from "../machines/data/system-keys.js"
import type { Occurrence, OccurrenceKind } from "./occurrence.js"

/** Names of agents, tools, keys or models. `*` in a name matches any text. */
export type NamePattern = readonly string[]

/**
 * A condition of a policy that selects occurrences (things that happen in a run) by their kind,
 * their name and the agents around them.
 */
export interface Atom {
  readonly kind: OccurrenceKind
  readonly names: NamePattern
  /** Agents that must cause the occurrence. null: any agent. */
  readonly by: NamePattern | null
  /** Agents inside which the occurrence must happen. null: anywhere. */
  readonly inside: NamePattern | null
  readonly except: NamePattern
  /**
   * Only for `call`. true: only calls that a person approved; false: only calls that nobody
   * approved; null: all calls.
   */
  readonly approved: boolean | null
  /** Only for `finish`: the agent outcomes that the atom matches. */
  readonly outcomes: readonly Outcome[]
  /** Only for `write`: the value that must be written. null: any value. */
  readonly equals: { readonly value: unknown } | null
}

const patterns = new Map<string, RegExp>()

/** Returns whether a name matches a pattern in which `*` matches any text. */
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

/** Returns whether an occurrence satisfies all conditions of an atom. */
export function matchesAtom(atom: Atom, occurrence: Occurrence): boolean {
  if (atom.kind !== occurrence.kind || !matchesNames(atom, occurrence)) return false
  if (matchesAny(atom.except, occurrence.name)) return false
  if (atom.by !== null && !matchesAny(atom.by, occurrence.agent)) return false
  if (atom.inside !== null && !isInside(atom.inside, occurrence)) return false
  if (atom.approved !== null && atom.approved !== (occurrence.approved ?? false)) return false
  if (atom.kind === "finish" && !atom.outcomes.includes(occurrence.outcome ?? "done")) return false
  return atom.equals === null || writesValue(atom.equals.value, occurrence)
}

/**
 * Returns whether the names match the agent that causes the occurrence, or an agent that encloses
 * it.
 */
export const isInside = (
  names: NamePattern,
  { agent, within }: Pick<Occurrence, "agent" | "within">,
): boolean =>
  matchesAny(names, agent) ||
  within.some((frame) => frame.agent !== null && matchesAny(names, frame.agent))

/**
 * Returns whether the name of an occurrence matches the names of an atom. `*` does not match system
 * keys, so they must be named exactly.
 */
const matchesNames = ({ kind, names }: Atom, { name }: Occurrence): boolean =>
  kind === "write" && systemKeys.has(name) ? names.includes(name) : matchesAny(names, name)

const writesValue = (value: unknown, occurrence: Occurrence): boolean =>
  occurrence.value !== undefined && JSON.stringify(occurrence.value) === JSON.stringify(value)
