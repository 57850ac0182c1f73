import type {
  Assumptions,
  EngineDecision,
  FunctionPermissions,
  ModelSignal,
} from "../../../policies/policy.js"
import { modelSignals } from "../../../policies/policy.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { assumeFields, sessionKinds, startStates } from "./policy-fields.js"
import type { PolicyValue } from "./policy-diagnostic.js"
import {
  fieldAt,
  readFlag,
  readNames,
  readObjectFields,
  readWord,
  reportPolicyError,
} from "./policy-diagnostic.js"

export const permissionFlags = [
  "passes",
  "mayAnswer",
  "mayChangeArguments",
  "mayEscalate",
  "maySkipSummarization",
] as const
export const permissionLists = [
  "mayCall",
  "mayWrite",
  "mayRead",
  "mayTransferTo",
  "mayReturn",
] as const
export const decisions = ["ALLOW", "DENY", "CONFIRM"] as const satisfies readonly EngineDecision[]

const nothing: FunctionPermissions = {
  mayCall: [],
  mayWrite: [],
  mayRead: [],
  passes: true,
  mayAnswer: false,
  mayChangeArguments: false,
  mayEscalate: false,
  mayTransferTo: [],
  maySkipSummarization: false,
  mayReturn: null,
  decides: null,
}

/**
 * Parses the field `functions` of a policy file, which lists the effects that each host function
 * may have.
 */
export function readFunctions(source: PolicyValue): Readonly<Record<string, FunctionPermissions>> {
  if (source.value === undefined) return {}
  if (!isJsonObject(source.value)) {
    reportPolicyError(
      source,
      `needs an object for "functions"`,
      "Write an entry for each function, such as tidy: {}.",
    )
    return {}
  }
  return Object.fromEntries(
    Object.keys(source.value).map((name) => [
      name,
      readFunction({ ...fieldAt(source, name), owner: `the function "${name}"` }),
    ]),
  )
}

function readFunction(source: PolicyValue): FunctionPermissions {
  const fields = readObjectFields(source, "its declaration", [
    ...permissionLists,
    ...permissionFlags,
    "decides",
  ])
  if (fields === null) return nothing
  const read: Record<string, unknown> = {}
  for (const name of permissionLists) {
    if (!Object.hasOwn(fields, name)) continue
    const value = fields[name]
    // An empty list is allowed. It means that the function does nothing of this kind.
    read[name] =
      Array.isArray(value) && value.length === 0
        ? []
        : (readNames(fieldAt(source, name), `"${name}"`) ?? [])
  }
  for (const name of permissionFlags)
    if (Object.hasOwn(fields, name))
      read[name] = readFlag(fieldAt(source, name), `"${name}"`) ?? nothing[name]
  if (Object.hasOwn(fields, "decides")) read["decides"] = readDecisions(fieldAt(source, "decides"))
  return { ...nothing, ...read }
}

function readDecisions(source: PolicyValue): FunctionPermissions["decides"] {
  if (!isJsonObject(source.value))
    return reportPolicyError(
      source,
      `needs an object for "decides"`,
      "Write the outcomes for each tool, such as { pay: [CONFIRM, DENY] }.",
    )
  return Object.fromEntries(
    Object.entries(source.value).map(([tool, value]) => {
      const each: readonly unknown[] = Array.isArray(value) ? value : [value]
      const words = each.flatMap(
        (one) => readWord({ ...fieldAt(source, tool), value: one }, `"decides"`, decisions) ?? [],
      )
      return [tool, words]
    }),
  )
}

/** Parses the field `toolsets` of a policy file, which lists the tools of each toolset. */
export function readToolsets(source: PolicyValue): Readonly<Record<string, readonly string[]>> {
  if (source.value === undefined) return {}
  if (!isJsonObject(source.value)) {
    reportPolicyError(
      source,
      `needs an object for "toolsets"`,
      "Write an entry such as shop: { lists: [pay] }.",
    )
    return {}
  }
  return Object.fromEntries(
    Object.keys(source.value).map((id) => {
      const entry = { ...fieldAt(source, id), owner: `the toolset "${id}"` }
      const fields = readObjectFields(entry, "its declaration", ["lists"])
      const names = fields === null ? null : readNames(fieldAt(entry, "lists"), `"lists"`)
      return [id, names ?? []]
    }),
  )
}

/** The assumptions of the policy checker if a policy file has no field `assume`. */
const defaultAssume: Assumptions = {
  modelSignals,
  startState: "any",
  session: "new",
  toolRounds: null,
}

/**
 * Parses the field `assume` of a policy file: the assumptions of the policy checker about the
 * behavior of models and the initial state of runs.
 */
export function readAssume(given: PolicyValue): Assumptions {
  if (given.value === undefined) return defaultAssume
  const source = { ...given, owner: `"assume"` }
  const fields = readObjectFields(source, "it", assumeFields)
  if (fields === null) return defaultAssume
  const field = (name: string): PolicyValue => fieldAt(source, name)
  const has = (name: string): boolean => Object.hasOwn(fields, name)
  return {
    modelSignals: has("modelSignals") ? readSignals(field("modelSignals")) : modelSignals,
    startState: has("startState")
      ? (readWord(field("startState"), `"startState"`, startStates) ?? "any")
      : "any",
    session: has("session")
      ? (readWord(field("session"), `"session"`, sessionKinds) ?? "new")
      : "new",
    toolRounds: has("toolRounds") ? readCount(field("toolRounds"), "toolRounds") : null,
  }
}

function readSignals(source: PolicyValue): readonly ModelSignal[] {
  if (source.value === "none") return []
  if (source.value === "all") return modelSignals
  if (Array.isArray(source.value))
    return source.value.flatMap(
      (value) => readWord({ ...source, value }, `"modelSignals"`, modelSignals) ?? [],
    )
  reportPolicyError(
    source,
    `needs none or a list for "modelSignals"`,
    `Write none, or a list of ${modelSignals.join(", ")}.`,
  )
  return modelSignals
}

/** Parses a whole number, 0 or greater. For any other value, reports an error and returns null. */
export function readCount(source: PolicyValue, name: string): number | null {
  return typeof source.value === "number" && Number.isInteger(source.value) && source.value >= 0
    ? source.value
    : reportPolicyError(
        source,
        `needs a whole number, 0 or greater, for "${name}"`,
        `Write a number, such as ${name}: 3.`,
      )
}
