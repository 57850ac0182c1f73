import { occurrenceKinds } from "../../policies/occurrence.js"
import { modelSignals } from "../../policies/policy.js"
import { filters, outcomes, runWords } from "../1-parse/policies/read-atoms.js"
import {
  decisions,
  permissionFlags,
  permissionLists,
} from "../1-parse/policies/read-declarations.js"
import { sinks, sources } from "../1-parse/policies/read-flow.js"
import type { PolicyRuleField } from "../1-parse/policies/policy-fields.js"
import {
  activityKinds,
  assumeFields,
  commonFields,
  extraEnds,
  fileFields,
  neededWith,
  ruleFields,
  sessionKinds,
  startStates,
  violationActions,
} from "../1-parse/policies/policy-fields.js"

type Schema = Readonly<Record<string, unknown>>

/** Returns a JSON Schema that accepts one value or a list of such values. */
const oneOrList = (one: Schema, list: Schema = {}): Schema => ({
  anyOf: [one, { type: "array", items: one, ...list }],
})

const oneOrMore = (one: Schema): Schema => oneOrList(one, { minItems: 1 })

const name: Schema = { type: "string", minLength: 1 }
const names = oneOrMore(name)
/**
 * A JSON Schema of a name or a list of names. The list may be empty, which means that there are no
 * names.
 */
const namesOrNone = oneOrList(name)
const count: Schema = { type: "integer", minimum: 0 }

const oneOrListOf = (words: readonly string[]): Schema => oneOrList({ enum: words })

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
})

/**
 * Returns a JSON Schema of objects with exactly one field in `kinds`. The value of this field is a
 * name or a list of names.
 */
const oneOfKinds = (kinds: readonly string[], more: Schema = {}): Schema =>
  object(
    { ...Object.fromEntries(kinds.map((kind) => [kind, names])), ...more },
    { oneOf: kinds.map((kind) => ({ required: [kind] })) },
  )

const filterSchemas: Readonly<Record<string, Schema>> = {
  approved: { type: "boolean" },
  outcome: oneOrListOf(outcomes),
  equals: {},
}

const atom = oneOfKinds(occurrenceKinds, {
  run: oneOrListOf(runWords),
  ...Object.fromEntries(Object.keys(filters).map((name) => [name, filterSchemas[name] ?? names])),
})

const atoms = oneOrMore({ $ref: "#/$defs/atom" })

const patternSchemas: Readonly<Record<PolicyRuleField, Schema>> = {
  never: { ...atoms, description: "Violated if one of these occurs." },
  after: { ...atoms, description: "`never` is only violated after one of these." },
  allow: { ...atoms, description: "These may only occur after `onlyAfter`." },
  onlyAfter: {
    anyOf: [{ const: "approval" }, atoms],
    description: "What has to occur before, or `approval`: a person approved the very call.",
  },
  whenever: { ...atoms, description: "Each of these needs a later `then` before the run ends." },
  // oxlint-disable-next-line unicorn/no-thenable -- a field of policy files has this name
  then: { ...atoms, description: "What has to occur after `whenever`." },
  evenIf: {
    ...oneOrListOf(extraEnds),
    description: "Ends of a run that count besides `completed`.",
  },
  atMost: { ...count, description: "The largest number of `of`." },
  of: { ...atoms, description: "What is counted." },
  notTogether: {
    type: "array",
    items: oneOfKinds(activityKinds),
    minItems: 2,
    maxItems: 2,
    description: "Two activities that must not be open at the same time.",
  },
  noFlow: object(
    { from: oneOrMore(oneOfKinds(sources)), to: oneOrMore(oneOfKinds(sinks)) },
    { required: ["from", "to"], description: "Data from a source must not reach a sink." },
  ),
  unless: {
    ...oneOrMore({ anyOf: [{ const: "approval" }, oneOfKinds(["text", "result"])] }),
    description: "What makes the data clean.",
  },
  budget: object(
    { modelCalls: count, cost: { type: "number", minimum: 0 } },
    { minProperties: 1, description: "The most model calls, or the highest cost, of a run." },
  ),
}

const commonSchemas: Readonly<Record<keyof typeof commonFields, Schema>> = {
  name: { type: "string", pattern: "^[\\w.-]+$" },
  description: { type: "string" },
  in: names,
  per: { type: "string", pattern: "^\\s*(run|invocation|(agent|iteration of)\\s+\\S.*)\\s*$" },
  enforce: { type: "boolean" },
  onViolation: { enum: violationActions },
}

const functionSchema = object({
  ...Object.fromEntries(permissionLists.map((name) => [name, namesOrNone] as const)),
  ...Object.fromEntries(permissionFlags.map((name) => [name, { type: "boolean" }] as const)),
  decides: { type: "object", additionalProperties: oneOrListOf(decisions) },
})

const assumeSchemas: Readonly<Record<(typeof assumeFields)[number], Schema>> = {
  modelSignals: { anyOf: [{ enum: ["none", "all"] }, oneOrListOf(modelSignals)] },
  startState: { enum: startStates },
  session: { enum: sessionKinds },
  toolRounds: count,
}

const fileSchemas: Readonly<Record<keyof typeof fileFields, Schema>> = {
  policies: { type: "array", items: { $ref: "#/$defs/policy" } },
  functions: { type: "object", additionalProperties: functionSchema },
  toolsets: {
    type: "object",
    additionalProperties: object({ lists: names }, { required: ["lists"] }),
  },
  assume: object(assumeSchemas),
  prices: { type: "object" },
  limits: object({ states: count }),
}

const withDescriptions = (
  schemas: Readonly<Record<string, Schema>>,
  descriptions: Readonly<Record<string, string>>,
): Schema =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { description: descriptions[name], ...schema },
    ]),
  )

/**
 * Returns the JSON Schema (draft 2020-12) of policy files. It accepts every valid policy file.
 * `readPolicies` also checks the combinations of fields.
 */
export const policySchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A policy file of agent-statecharts",
  ...object(
    { $schema: { type: "string" }, ...withDescriptions(fileSchemas, fileFields) },
    { required: ["policies"] },
  ),
  $defs: {
    atom,
    policy: object(
      { ...withDescriptions(commonSchemas, commonFields), ...patternSchemas },
      {
        required: ["name"],
        oneOf: ruleFields.map((name) => ({ required: [name] })),
        dependentRequired: Object.fromEntries(
          Object.entries(neededWith).map(([name, needed]) => [name, [needed]]),
        ),
      },
    ),
  },
})
