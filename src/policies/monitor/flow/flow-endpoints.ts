import { matchesAny } from "../../atom.js"
import type { FlowEndpointKind, Policy, Rule } from "../../policy.js"

type NoFlow = Extract<Rule, { pattern: "noFlow" }>

/**
 * The sources, sinks and cleaning steps of one `noFlow` policy. Its functions decide whether the
 * policy names a location, for example the result of the tool `read_mail`.
 */
export interface FlowEndpoints {
  isSource(kind: FlowEndpointKind, name: string): boolean
  isSink(kind: FlowEndpointKind, name: string): boolean
  isCleaned(kind: "text" | "result", name: string): boolean
  /** Whether the policy allows data from a source in a tool call that a person approved. */
  readonly isCleanedByApproval: boolean
  /** Whether the policy names servers as sources of data. */
  readonly hasServers: boolean
  /** The session state keys that the policy names as sources. A name can contain `*`. */
  readonly sourceKeys: readonly string[]
}

/**
 * Returns the sources, sinks and cleaning steps of a `noFlow` policy. A cleaning step, such as an
 * approval, makes data from a source safe. Returns null for all other policies.
 */
export function flowEndpoints({ rule }: Policy): FlowEndpoints | null {
  if (rule.pattern !== "noFlow") return null
  const { from, to, cleaners }: NoFlow = rule
  return {
    isSource: (kind, name) =>
      from.some((endpoint) => endpoint.kind === kind && matchesAny(endpoint.names, name)),
    isSink: (kind, name) =>
      to.some((endpoint) => endpoint.kind === kind && matchesAny(endpoint.names, name)),
    isCleaned: (kind, name) =>
      cleaners.some(
        (cleaner) =>
          cleaner !== "approval" && cleaner.kind === kind && matchesAny(cleaner.names, name),
      ),
    hasServers: from.some(({ kind }) => kind === "server"),
    isCleanedByApproval: cleaners.includes("approval"),
    sourceKeys: from.flatMap(({ kind, names }) => (kind === "key" ? names : [])),
  }
}
