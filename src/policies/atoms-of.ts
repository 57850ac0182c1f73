import type { Atom } from "./atom.js"
import type { Policy, Rule } from "./policy.js"

/**
 * Returns all atoms in the rule of a policy. An atom describes occurrences in a run, for example
 * all calls of the tool `pay`.
 */
export function atomsOf({ rule }: Policy): readonly Atom[] {
  return [
    ...("of" in rule ? rule.of : []),
    ...("response" in rule ? rule.response : []),
    ...("after" in rule ? rule.after : []),
    ...("first" in rule && rule.first !== "approval" ? rule.first : []),
  ]
}

/**
 * Returns the atoms (patterns for actions such as tool calls) that a rule requires to occur. For
 * `onlyAfter`, they describe the action that must happen first. For `whenever`, they describe the
 * required response. Returns an empty list for all other rules.
 */
export const awaitedBy = (rule: Rule): readonly Atom[] =>
  rule.pattern === "whenever"
    ? rule.response
    : rule.pattern === "onlyAfter" && rule.first !== "approval"
      ? rule.first
      : []
