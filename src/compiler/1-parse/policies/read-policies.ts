import { createSuggest } from "../../../machines/data/suggest.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { PolicySet } from "../../../policies/policy.js"
import { createReport } from "../../diagnostics/report.js"
import { readYaml } from "../yaml/read-yaml.js"
import type { PolicyDiagnostic, PolicyValue } from "./policy-diagnostic.js"
import { fieldAt, readObjectFields, reportPolicyError } from "./policy-diagnostic.js"
import { fileFields } from "./policy-fields.js"
import { readAssume, readCount, readFunctions, readToolsets } from "./read-declarations.js"
import { readPolicy } from "./read-policy.js"

/** The parsed policies of a policy file, and the errors in the file. */
export interface ReadPolicies {
  /** The policies. Null if the file contains an error. */
  readonly policies: PolicySet | null
  readonly diagnostics: readonly PolicyDiagnostic[]
}

/**
 * Default maximum number of states that the policy checker explores for one policy. Each of them
 * combines a state of the chart with a state of the policy's automaton.
 */
const defaultStates = 200_000

/**
 * Parses a policy file in YAML or JSON (docs/policies.md). Never throws for an invalid file. All
 * problems of the file are in `diagnostics`.
 *
 * ```ts
 * const { policies, diagnostics } = readPolicies(text, { file: "payments.policy.yaml" })
 * ```
 */
export function readPolicies(
  text: string,
  { file = null }: { readonly file?: string | null } = {},
): ReadPolicies {
  const report = createReport()
  const document = readYaml(text, { file, ordinal: 0 }, report)
  const problems = report
    .diagnostics()
    .map(({ code, message, fix, line = 1, column = 1 }): PolicyDiagnostic => ({
      code: code === "duplicate_key" ? "policy_shape" : "policy_syntax",
      severity: "error",
      message,
      fix,
      policy: null,
      file,
      line,
      column,
    }))
  if (document === null || report.hasErrors()) return { policies: null, diagnostics: problems }
  const diagnostics: PolicyDiagnostic[] = []
  const root: PolicyValue = {
    value: document.value,
    pointer: "",
    file: { document, suggest: createSuggest(), diagnostics },
    owner: "the policy file",
    policy: null,
  }
  const set = readSet(root)
  return { policies: diagnostics.length > 0 ? null : set, diagnostics }
}

function readSet(root: PolicyValue): PolicySet | null {
  const fields = readObjectFields(root, "it", ["$schema", ...Object.keys(fileFields)])
  if (fields === null) return null
  const functions = readFunctions(fieldAt(root, "functions"))
  const toolsets = readToolsets(fieldAt(root, "toolsets"))
  const assume = readAssume(fieldAt(root, "assume"))
  const entries = fieldAt(root, "policies")
  const prices = readPrices(fieldAt(root, "prices"))
  const maxStates = readLimits(fieldAt(root, "limits"))
  if (!Array.isArray(entries.value))
    return reportPolicyError(
      entries,
      `needs a list for "policies"`,
      "Write policies: and a list of policies.",
    )
  const names = new Set<string>()
  const policies = entries.value.flatMap(
    (_, index) =>
      readPolicy({ ...fieldAt(entries, index), owner: `policy ${index + 1}` }, names) ?? [],
  )
  return { file: root.file.document.file, policies, functions, toolsets, assume, prices, maxStates }
}

function readPrices(source: PolicyValue): PolicySet["prices"] {
  if (source.value === undefined) return null
  return isJsonObject(source.value)
    ? source.value
    : reportPolicyError(
        source,
        `needs an object for "prices"`,
        "Write prices by model name, as for --prices.",
      )
}

function readLimits(source: PolicyValue): number {
  if (source.value === undefined) return defaultStates
  const fields = readObjectFields({ ...source, owner: `"limits"` }, "it", ["states"])
  if (fields === null || !Object.hasOwn(fields, "states")) return defaultStates
  return readCount(fieldAt(source, "states"), "states") ?? defaultStates
}
