import type { Outcome } from "../machines/contract/run-event.js"
import { systemKeys } from "../machines/data/system-keys.js"
import type { Occurrence, OccurrenceKind } from "./occurrence.js"

/** Names of agents, tools, session state keys or models. `*` in a name matches any text. */
export type NamePattern = readonly string[]

/**
 * A part of a policy that describes occurrences, for example all calls of the tool `pay`. An
 * occurrence is something that happens in a run, such as a tool call. It is selected by its kind,
 * its name and the agents that enclose it.
 */
export interface Atom {
  readonly kind: OccurrenceKind
  readonly names: NamePattern
  /**
   * Agents that must cause the occurrence, for example make the tool call. null means any agent.
   */
  readonly by: NamePattern | null
  /**
   * Agents that must enclose or cause the occurrence, such as a tool call. null means that it can
   * happen anywhere.
   */
  readonly inside: NamePattern | null
  readonly except: NamePattern
  /**
   * Only for `call`. true selects calls that a person approved, and false selects calls that were
   * not approved. null selects all calls.
   */
  readonly approved: boolean | null
  /** Only for `finish`. The agent outcomes that are selected, for example `done`. */
  readonly outcomes: readonly Outcome[]
  /** Only for `write`. The value that must be written to the key. null means any value. */
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

/**
 * Returns whether an occurrence, such as a tool call in a run, satisfies all conditions of an atom.
 */
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
 * Returns whether one of the names matches the agent that causes an occurrence, such as a tool
 * call, or an agent that encloses it.
 */
export const isInside = (
  names: NamePattern,
  { agent, within }: Pick<Occurrence, "agent" | "within">,
): boolean =>
  matchesAny(names, agent) ||
  within.some((frame) => frame.agent !== null && matchesAny(names, frame.agent))

/**
 * Returns whether the name of an occurrence, such as the tool of a call, matches the names of an
 * atom. For writes, `*` does not match system keys, so the policy must contain their exact names.
 */
const matchesNames = ({ kind, names }: Atom, { name }: Occurrence): boolean =>
  kind === "write" && systemKeys.has(name) ? names.includes(name) : matchesAny(names, name)

const writesValue = (value: unknown, occurrence: Occurrence): boolean =>
  occurrence.value !== undefined && JSON.stringify(occurrence.value) === JSON.stringify(value)
