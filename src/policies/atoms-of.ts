import type { Atom } from "./atom.js"
import type { Policy } from "./policy.js"

/** Returns all atoms of a policy. */
export function atomsOf({ rule }: Policy): readonly Atom[] {
  return [
    ...("of" in rule ? rule.of : []),
    ...("then" in rule ? rule.then : []),
    ...("after" in rule ? rule.after : []),
    ...("first" in rule && rule.first !== "approval" ? rule.first : []),
  ]
}
