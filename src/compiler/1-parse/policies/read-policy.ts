import { isJsonObject } from "../../../machines/data/json-object.js"
import type {
  Policy,
  PolicyActivity,
  PolicyScope,
  Rule,
  PolicyRunEnd,
} from "../../../policies/policy.js"
import {
  activityKinds,
  commonFields,
  extraEnds,
  ruleFields,
  fieldsByRule,
  violationActions,
} from "./policy-fields.js"
import type { PolicyValue } from "./policy-diagnostic.js"
import {
  fieldAt,
  listed,
  readFlag,
  readNames,
  readObjectFields,
  readWord,
  reportPolicyError,
  shown,
} from "./policy-diagnostic.js"
import { readAtoms } from "./read-atoms.js"
import { readFlow } from "./read-flow.js"
import { readCount } from "./read-declarations.js"

const common = Object.keys(commonFields)
const ownFields: readonly string[] = [...new Set(Object.values(fieldsByRule).flat())]

/**
 * Parses one entry of `policies` in a policy file. `names` collects the policy names, to detect
 * duplicates. If the entry is invalid, reports the errors and returns null.
 */
export function readPolicy(given: PolicyValue, names: Set<string>): Policy | null {
  if (!isJsonObject(given.value))
    return reportPolicyError(
      given,
      "needs an object for each policy",
      "Write a name and a pattern, such as never: { call: pay }.",
    )
  const name = given.value["name"]
  const isNamed = typeof name === "string" && /^[\w.-]+$/u.test(name)
  const source: PolicyValue = {
    ...given,
    entry: given.pointer,
    owner: isNamed ? `the policy "${name}"` : given.owner,
    policy: isNamed ? name : null,
  }
  const before = source.file.diagnostics.length
  if (!isNamed)
    reportPolicyError(
      source,
      name === undefined ? `has no "name"` : `has the wrong name ${shown(name)}`,
      "Write a name of letters, digits, _, - and dots.",
    )
  else if (names.has(name))
    reportPolicyError(
      source,
      `has the same name as another policy`,
      "Give each policy a name of its own.",
    )
  else names.add(name)
  const fields = readObjectFields(source, "it", [...common, ...ownFields]) ?? {}
  const rule = readRule(source, fields)
  const has = (field: string): boolean => Object.hasOwn(fields, field)
  const inside = has("in") ? readNames(fieldAt(source, "in"), `"in"`) : null
  const per = has("per") ? readScope(fieldAt(source, "per")) : ({ type: "run" } as const)
  const enforce = has("enforce") ? readFlag(fieldAt(source, "enforce"), `"enforce"`) : true
  const onViolation = has("onViolation")
    ? readWord(fieldAt(source, "onViolation"), `"onViolation"`, violationActions)
    : null
  const description = fields["description"] ?? null
  if (description !== null && typeof description !== "string")
    reportPolicyError(
      fieldAt(source, "description"),
      `needs a text for "description"`,
      "Write a sentence for people.",
    )
  if (source.file.diagnostics.length > before || rule === null || per === null) return null
  const { line = 1, column = 1 } = source.file.document.locate(source.pointer, "value") ?? {}
  return {
    name: String(name),
    description: typeof description === "string" ? description : null,
    rule,
    inside,
    per,
    enforce: enforce ?? true,
    onViolation,
    line,
    column,
  }
}

type Fields = Readonly<Record<string, unknown>>

function readRule(source: PolicyValue, fields: Fields): Rule | null {
  const has = (name: string): boolean => Object.hasOwn(fields, name)
  const opened = ruleFields.filter((name) => has(name))
  if (opened.length > 1)
    return reportPolicyError(
      source,
      `has the patterns ${listed(opened.map((name) => `"${name}"`))}, but a policy can only have one pattern`,
      "Write one policy for each pattern.",
    )
  const [opener] = opened
  if (opener === undefined)
    return reportPolicyError(
      source,
      "has no pattern",
      `Write one of ${listed(ruleFields, "or")}, such as never: { call: pay }.`,
    )
  const pattern =
    opener === "allow" ? "onlyAfter" : opener === "never" && has("after") ? "after" : opener
  const foreign = ownFields.filter(
    (name) => has(name) && !(fieldsByRule[pattern] as readonly string[]).includes(name),
  )
  for (const name of foreign)
    reportPolicyError(
      fieldAt(source, name),
      `has the field "${name}", which does not belong to "${opener}"`,
      `Remove it, or write another policy for it.`,
      "key",
    )
  const field = (name: string): PolicyValue => fieldAt(source, name)
  const required = (name: string): boolean =>
    has(name) ||
    reportPolicyError(source, `has "${opener}" but no "${name}"`, `Add "${name}".`) !== null
  switch (pattern) {
    case "never": {
      const of = readAtoms(field("never"), "never")
      return of && { pattern, of }
    }
    case "onlyAfter": {
      const of = readAtoms(field("allow"), "allow")
      if (!required("onlyAfter")) return null
      if (fields["onlyAfter"] === "approval") {
        if (of?.some(({ kind }) => kind !== "call") === true)
          return reportPolicyError(
            field("allow"),
            `asks for the approval of something else than a call`,
            "Approvals are given to calls: write allow: { call: TOOL }.",
          )
        return of && { pattern, of, first: "approval" }
      }
      const first = readAtoms(field("onlyAfter"), "onlyAfter")
      return of && first && { pattern, of, first }
    }
    case "after": {
      const of = readAtoms(field("never"), "never")
      const after = readAtoms(field("after"), "after")
      return of && after && { pattern, of, after }
    }
    case "whenever": {
      const of = readAtoms(field("whenever"), "whenever")
      if (!required("then")) return null
      const response = readAtoms(field("then"), "then")
      const ends = has("evenIf") ? readEnds(field("evenIf")) : []
      if (of === null || response === null || ends === null) return null
      const all: readonly PolicyRunEnd[] = ["completed", ...ends]
      return { pattern, of, response, ends: all }
    }
    case "atMost": {
      const most = readCount(field("atMost"), "atMost")
      if (!required("of")) return null
      const of = readAtoms(field("of"), "of")
      return most === null || of === null ? null : { pattern, most, of }
    }
    case "notTogether":
      return readTogether(field("notTogether"))
    case "noFlow":
      return readFlow(field("noFlow"), has("unless") ? field("unless") : null)
    case "budget":
      return readBudget(field("budget"))
  }
}

function readEnds(source: PolicyValue): readonly PolicyRunEnd[] | null {
  const list: readonly unknown[] = Array.isArray(source.value) ? source.value : [source.value]
  const ends = list.map((value) => readWord({ ...source, value }, `"evenIf"`, extraEnds))
  return ends.every((end) => end !== null) ? ends : null
}

function readScope(source: PolicyValue): PolicyScope | null {
  const text = typeof source.value === "string" ? source.value.trim() : ""
  if (text === "run" || text === "invocation") return { type: text }
  const named = /^(agent|iteration of)\s+(\S.*)$/u.exec(text)
  if (named !== null) {
    const [, kind, name = ""] = named
    return { type: kind === "agent" ? "agent" : "iteration", name }
  }
  return reportPolicyError(
    source,
    `has the wrong value ${shown(source.value)} for "per"`,
    "Write run, invocation, agent NAME or iteration of NAME.",
  )
}

function readTogether(source: PolicyValue): Rule | null {
  if (!Array.isArray(source.value) || source.value.length !== 2)
    return reportPolicyError(
      source,
      `needs a list of two activities for "notTogether"`,
      "Write [{ agent: a }, { agent: b }].",
    )
  const activities = source.value.map((_, index): PolicyActivity | null => {
    const one = fieldAt(source, index)
    const fields = readObjectFields(one, `"notTogether"`, activityKinds)
    if (fields === null) return null
    const kinds = activityKinds.filter((kind) => Object.hasOwn(fields, kind))
    const [kind] = kinds
    if (kind === undefined || kinds.length > 1)
      return reportPolicyError(
        one,
        `needs one of agent and call for each activity`,
        "Write { agent: NAME } or { call: TOOL }.",
      )
    const names = readNames(fieldAt(one, kind), `"${kind}"`)
    return names && { kind, names }
  })
  const [one, other] = activities
  return one && other ? { pattern: "notTogether", activities: [one, other] } : null
}

function readBudget(source: PolicyValue): Rule | null {
  const fields = readObjectFields(source, `"budget"`, ["modelCalls", "cost"])
  if (fields === null) return null
  const has = (name: string): boolean => Object.hasOwn(fields, name)
  if (!has("modelCalls") && !has("cost"))
    return reportPolicyError(
      source,
      `needs modelCalls or cost for "budget"`,
      "Write budget: { modelCalls: 20 }.",
    )
  const modelCalls = has("modelCalls")
    ? readCount(fieldAt(source, "modelCalls"), "modelCalls")
    : null
  const cost = fields["cost"] ?? null
  if (cost !== null && (typeof cost !== "number" || cost < 0))
    return reportPolicyError(
      fieldAt(source, "cost"),
      `needs a number, 0 or greater, for "cost"`,
      "Write cost: 1.5.",
    )
  return { pattern: "budget", modelCalls, cost }
}
