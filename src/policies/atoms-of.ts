import type { Atom } from "./atom.js"
import type { Policy, Rule } from "./policy.js"

/** Returns all atoms of a policy. */
export function atomsOf({ rule }: Policy): readonly Atom[] {
  return [
    ...("of" in rule ? rule.of : []),
    ...("response" in rule ? rule.response : []),
    ...("after" in rule ? rule.after : []),
    ...("first" in rule && rule.first !== "approval" ? rule.first : []),
  ]
}

/**
 * Returns the atoms that a rule requires to occur: the condition of `onlyAfter` or the response of
 * `whenever`.
 */
export const awaitedBy = (rule: Rule): readonly Atom[] =>
  rule.pattern === "whenever"
    ? rule.response
    : rule.pattern === "onlyAfter" && rule.first !== "approval"
      ? rule.first
      : []
