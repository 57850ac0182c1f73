import type { FlowCleaner, FlowEndpoint, FlowEndpointKind, Rule } from "../../../policies/policy.js"
import type { PolicyValue } from "./policy-diagnostic.js"
import {
  fieldAt,
  listed,
  readNames,
  readObjectFields,
  reportPolicyError,
} from "./policy-diagnostic.js"

export const sources = [
  "result",
  "text",
  "key",
  "answer",
  "prompt",
  "server",
] as const satisfies readonly FlowEndpointKind[]
export const sinks = [
  "arguments",
  "request",
  "instructions",
  "input",
  "model",
  "server",
  "key",
] as const satisfies readonly FlowEndpointKind[]

/**
 * Parses a `noFlow` policy, which prohibits the flow of data from certain sources to certain
 * targets. `unless` lists the steps after which the flow is allowed, such as an approval. If the
 * policy is invalid, reports errors and returns null.
 */
export function readFlow(source: PolicyValue, unless: PolicyValue | null): Rule | null {
  const fields = readObjectFields(source, `"noFlow"`, ["from", "to"])
  if (fields === null) return null
  const from = readEndpoints(fieldAt(source, "from"), "from", sources)
  const to = readEndpoints(fieldAt(source, "to"), "to", sinks)
  const cleaners = unless === null ? [] : readCleaners(unless)
  return from && to && cleaners && { pattern: "noFlow", from, to, cleaners }
}

function readEndpoints(
  source: PolicyValue,
  what: string,
  kinds: readonly FlowEndpointKind[],
): readonly FlowEndpoint[] | null {
  const each = Array.isArray(source.value)
    ? source.value.map((_, index) => fieldAt(source, index))
    : [source]
  const endpoints = each.map((one): FlowEndpoint | null => {
    const fields = readObjectFields(one, `"${what}" of "noFlow"`, kinds)
    if (fields === null) return null
    const [kind, second] = kinds.filter((name) => Object.hasOwn(fields, name))
    if (kind === undefined || second !== undefined)
      return Object.keys(fields).some((name) => !(kinds as readonly string[]).includes(name))
        ? null
        : reportPolicyError(
            one,
            `needs one place for "${what}" of "noFlow"`,
            `Write one of ${listed(kinds, "or")}.`,
          )
    const names = readNames(fieldAt(one, kind), `"${kind}"`)
    return names && { kind, names }
  })
  return endpoints.every((endpoint) => endpoint !== null) ? endpoints : null
}

function readCleaners(source: PolicyValue): readonly FlowCleaner[] | null {
  const each = Array.isArray(source.value)
    ? source.value.map((_, index) => fieldAt(source, index))
    : [source]
  const cleaners = each.map((one): FlowCleaner | null => {
    if (one.value === "approval") return "approval"
    const fields = readObjectFields(one, `"unless"`, ["text", "result"])
    if (fields === null) return null
    const kind = Object.hasOwn(fields, "text") ? "text" : "result"
    const names = readNames(fieldAt(one, kind), `"${kind}"`)
    return names && { kind, names }
  })
  return cleaners.every((cleaner) => cleaner !== null) ? cleaners : null
}
