import { matchesAny } from "./atom.js"
import type { FlowEndpoint, FlowEndpointKind, Rule } from "./policy.js"

export type NoFlowRule = Extract<Rule, { pattern: "noFlow" }>

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
  readonly sinkKeys: readonly string[]
}

/**
 * Returns the sources, sinks and cleaning steps of a `noFlow` policy. A cleaning step, such as an
 * approval, makes data from a source safe.
 */
export function flowEndpoints({ from, to, cleaners }: NoFlowRule): FlowEndpoints {
  const matches = (list: readonly FlowEndpoint[], kind: FlowEndpointKind, name: string): boolean =>
    list.some((endpoint) => endpoint.kind === kind && matchesAny(endpoint.names, name))
  return {
    isSource: (kind, name) => matches(from, kind, name),
    isSink: (kind, name) => matches(to, kind, name),
    isCleaned: (kind, name) =>
      cleaners.some(
        (cleaner) =>
          cleaner !== "approval" && cleaner.kind === kind && matchesAny(cleaner.names, name),
      ),
    hasServers: from.some(({ kind }) => kind === "server"),
    isCleanedByApproval: cleaners.includes("approval"),
    sourceKeys: keysOf(from),
    sinkKeys: keysOf(to),
  }
}

const keysOf = (endpoints: readonly FlowEndpoint[]): readonly string[] =>
  endpoints.flatMap(({ kind, names }) => (kind === "key" ? names : []))
