import { createSuggest, didYouMean } from "../../machines/data/suggest.js"
import type { Atom } from "../../policies/atom.js"
import { matchesAny } from "../../policies/atom.js"
import { atomsOf } from "../../policies/atoms-of.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { Vocabulary } from "./vocabulary.js"
import { canMatch, namesFor, endpointNamesFor } from "./vocabulary.js"

/** A warning about a name in a policy file that matches nothing in the chart. */
export interface PolicyWarning {
  readonly code: "policy_matches_nothing"
  /**
   * Name of the policy that contains the unmatched name. null if the unmatched name is in the
   * section `functions` of the policy file.
   */
  readonly policy: string | null
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

/**
 * Returns a warning for each name in the policies that matches nothing in the chart. A similar name
 * is suggested.
 */
export function policyWarnings(set: PolicySet, vocabulary: Vocabulary): readonly PolicyWarning[] {
  const suggest = createSuggest()
  const known = (names: Iterable<string>): string => {
    const list = [...names]
    return list.length === 0
      ? "There is none in this workflow."
      : `The names are ${list.slice(0, 10).join(", ")}${list.length > 10 ? " and others" : ""}.`
  }
  const warn = (
    { name, line, column }: Policy,
    what: string,
    words: readonly string[],
    names: Iterable<string>,
  ): PolicyWarning => {
    const all = [...names]
    const suggestion = words.map((word) => suggest(word, all)).find((found) => found !== null)
    return {
      code: "policy_matches_nothing",
      policy: name,
      line,
      column,
      message: `The policy "${name}" contains ${what} ${words.map((word) => JSON.stringify(word)).join(", ")}, which this workflow does not have.`,
      fix: `${didYouMean(suggestion ?? null)}${known(all)}`,
    }
  }
  const ofAtom = (policy: Policy, atom: Atom): readonly PolicyWarning[] => {
    if (canMatch(atom, vocabulary)) return []
    return [
      ...(atom.names.includes("*") || canMatch({ ...atom, by: null, inside: null }, vocabulary)
        ? []
        : [warn(policy, wordFor(atom.kind), atom.names, namesFor(atom.kind, vocabulary))]),
      ...[atom.by, atom.inside].flatMap((names) => (names === null ? [] : ofAgents(policy, names))),
    ]
  }
  const ofAgents = (policy: Policy, names: readonly string[]): readonly PolicyWarning[] =>
    [...vocabulary.agents].some((agent) => matchesAny(names, agent))
      ? []
      : [warn(policy, "the agent", names, vocabulary.agents)]
  return set.policies.flatMap((policy) => {
    const { rule, inside, per } = policy
    return [
      ...atomsOf(policy).flatMap((atom) => ofAtom(policy, atom)),
      ...(rule.pattern === "notTogether"
        ? rule.activities.flatMap(({ kind, names }) => {
            const all = kind === "agent" ? vocabulary.agents : vocabulary.tools
            const isOpen = kind === "call" && vocabulary.isOpen
            return isOpen || [...all].some((name) => matchesAny(names, name))
              ? []
              : [warn(policy, kind === "agent" ? "the agent" : "the tool", names, all)]
          })
        : []),
      ...(rule.pattern === "noFlow"
        ? [...rule.from, ...rule.to].flatMap(({ kind, names }) => {
            const all = endpointNamesFor(kind, vocabulary)
            const isKnown =
              all === null ||
              vocabulary.isOpen ||
              names.includes("*") ||
              [...all].some((name) => matchesAny(names, name))
            return isKnown ? [] : [warn(policy, `the ${kind} of`, names, all)]
          })
        : []),
      ...(inside === null ? [] : ofAgents(policy, inside)),
      ...("name" in per ? ofAgents(policy, [per.name]) : []),
    ]
  })
}

const wordFor = (kind: Atom["kind"]): string =>
  ["call", "result", "approval", "rejection"].includes(kind)
    ? "the tool"
    : kind === "model"
      ? "the model"
      : kind === "write"
        ? "the key"
        : kind === "run"
          ? "the status"
          : "the agent"

/** Returns whether a policy is vacuous, which means that it applies to nothing in the chart. */
export function isVacuous({ rule }: Policy, vocabulary: Vocabulary): boolean {
  if ("of" in rule) return rule.of.every((atom) => !canMatch(atom, vocabulary))
  if (rule.pattern === "noFlow")
    return rule.from.every(({ kind, names }) => {
      const all = endpointNamesFor(kind, vocabulary)
      return all !== null && !vocabulary.isOpen && ![...all].some((name) => matchesAny(names, name))
    })
  if (rule.pattern !== "notTogether") return false
  return rule.activities.some(({ kind, names }) => {
    if (kind === "call" && vocabulary.isOpen) return false
    const all = kind === "agent" ? vocabulary.agents : vocabulary.tools
    return ![...all].some((name) => matchesAny(names, name))
  })
}
