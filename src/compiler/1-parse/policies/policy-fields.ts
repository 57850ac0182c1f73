/**
 * Descriptions of the top-level fields of a policy file, by field name. They are part of the JSON
 * Schema of policy files.
 */
export const fileFields = {
  policies: "The policies. Each has a name and one pattern.",
  functions: "What host functions may do, by service name. `*` applies to all other functions.",
  toolsets: "The tools that each toolset lists, by toolset id.",
  assume: "What the checker assumes about models and starts.",
  prices: "Prices of models, in the format of --prices.",
  limits: "Limits of the search.",
} as const

/**
 * Descriptions of the fields that every policy can have, by field name. They are part of the JSON
 * Schema of policy files.
 */
export const commonFields = {
  name: "Name of the policy: letters, digits, _, - and dots.",
  description: "A sentence for people. It is printed with the verdict and sent to the model.",
  in: "Only occurrences inside these agents count.",
  per: "Where the policy begins again: run, invocation, agent NAME or iteration of NAME.",
  enforce: "Whether --enforce applies to this policy. Default: true.",
  onViolation: "What --enforce does with a call that would violate the policy.",
} as const

/**
 * The fields of each kind of policy rule. The first field identifies the rule, except that the
 * rules `never` and `after` both start with `never`.
 */
export const fieldsByRule = {
  never: ["never"],
  onlyAfter: ["allow", "onlyAfter"],
  after: ["never", "after"],
  whenever: ["whenever", "then", "evenIf"],
  atMost: ["atMost", "of"],
  notTogether: ["notTogether"],
  noFlow: ["noFlow", "unless"],
  budget: ["budget"],
} as const

/**
 * The fields that identify the kind of policy rule. Every policy has exactly one of these fields.
 */
export const ruleFields = [
  "never",
  "allow",
  "whenever",
  "atMost",
  "notTogether",
  "noFlow",
  "budget",
] as const

export type PolicyRuleField = (typeof fieldsByRule)[keyof typeof fieldsByRule][number]

/**
 * Maps the field that identifies a policy rule to the second field that the rule requires. For
 * example, a rule with `allow` also requires `onlyAfter`.
 */
export const neededWith = { allow: "onlyAfter", whenever: "then", atMost: "of" } as const

export const violationActions = ["refuse", "ask", "fail", "report"] as const
export const extraEnds = ["failed", "limit", "stopped"] as const
export const activityKinds = ["agent", "call"] as const
export const assumeFields = ["modelSignals", "startState", "session", "toolRounds"] as const
export const startStates = ["any", "chart"] as const
export const sessionKinds = ["new", "any"] as const
