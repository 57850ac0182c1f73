import { atomsOf } from "./atoms-of.js"
import type { Policy } from "./policy.js"

/**
 * Returns the names of the tools that a policy contains, without duplicates. Each `*` in a name is
 * replaced by `x`, so that a pattern becomes an example name.
 */
export function namedTools(policy: Policy): readonly string[] {
  const calls = atomsOf(policy).filter(({ kind }) =>
    ["call", "result", "approval", "rejection"].includes(kind),
  )
  const activities =
    policy.rule.pattern === "notTogether"
      ? policy.rule.activities.filter(({ kind }) => kind === "call")
      : []
  const names = [...calls, ...activities].flatMap((one) => one.names)
  return [...new Set(names.map((name) => name.replaceAll("*", "x")))]
}
