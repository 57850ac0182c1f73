import type { Atom } from "./atom.js"
import type { Policy, Rule } from "./policy.js"

/** Returns all atoms (conditions on occurrences) that the rule of a policy contains. */
export function atomsOf({ rule }: Policy): readonly Atom[] {
  return [
    ...("of" in rule ? rule.of : []),
    ...("response" in rule ? rule.response : []),
    ...("after" in rule ? rule.after : []),
    ...("first" in rule && rule.first !== "approval" ? rule.first : []),
  ]
}

/**
 * Returns the atoms that a rule waits for: the earlier occurrence that `onlyAfter` requires, or the
 * response that `whenever` requires. Returns an empty list for all other rules.
 */
export const awaitedBy = (rule: Rule): readonly Atom[] =>
  rule.pattern === "whenever"
    ? rule.response
    : rule.pattern === "onlyAfter" && rule.first !== "approval"
      ? rule.first
      : []
