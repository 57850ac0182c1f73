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
   * Names of agents that may cause the occurrence, for example make the tool call. null means that
   * any agent may cause it.
   */
  readonly by: NamePattern | null
  /**
   * Names of agents in which the occurrence must happen. For example, such an agent makes the tool
   * call, or it encloses the agent that makes the call. null means that the occurrence can happen
   * anywhere.
   */
  readonly inside: NamePattern | null
  readonly except: NamePattern
  /**
   * Only used if `kind` is `call`. true selects calls that a person approved, and false selects
   * calls that were not approved. null selects all calls.
   */
  readonly approved: boolean | null
  /**
   * Only used if `kind` is `finish`, the end of an agent. The outcomes of the agent that are
   * selected, for example `done`.
   */
  readonly outcomes: readonly Outcome[]
  /**
   * Only used if `kind` is `write`. The value that must be written to the key. null means any
   * value.
   */
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
 * Returns whether an occurrence, such as a tool call, happens in an agent whose name matches. The
 * agent causes the occurrence, or it encloses the agent that causes it.
 */
export const isInside = (
  names: NamePattern,
  { agent, within }: Pick<Occurrence, "agent" | "within">,
): boolean =>
  matchesAny(names, agent) ||
  within.some((frame) => frame.agent !== null && matchesAny(names, frame.agent))

/**
 * Returns whether the names of an atom, such as `pay_*`, match the name of an event, such as the
 * tool of a tool call. In the names of state keys that a run writes, `*` does not match system keys
 * such as `loop_exit_reason`. Policies about system keys must contain their exact names.
 */
const matchesNames = ({ kind, names }: Atom, { name }: Occurrence): boolean =>
  kind === "write" && systemKeys.has(name) ? names.includes(name) : matchesAny(names, name)

const writesValue = (value: unknown, occurrence: Occurrence): boolean =>
  occurrence.value !== undefined && JSON.stringify(occurrence.value) === JSON.stringify(value)
