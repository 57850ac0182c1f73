import { endpointsOf, policyModelNamesOf } from "../../../machines/model-call/agent-models.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import { checkersOf } from "../../../machines/contract/guardrails/guardrails.js"
import type { AgentDefinition } from "../../../machines/contract/agent-definition.js"
import type { EmittedEvent } from "../../../machines/contract/run-event.js"
import type { ToolDefinition } from "../../../machines/contract/tool-definition.js"
import { endpointKeys } from "../../agent-reads.js"
import type { FlowEndpointKind, PolicySet } from "../../policy.js"
import type { DataScope } from "./data-scopes.js"
import type { FlowEndpoints } from "../../flow-endpoints.js"
import type { FunctionData } from "./function-flow.js"
import { functionData } from "./function-flow.js"

export type TurnDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * A location that source data has reached, such as the arguments of a tool. If the location is a
 * sink, the `noFlow` policy is violated.
 */
export type Reached = readonly [kind: FlowEndpointKind, name: string]

/** The chart and the `noFlow` policy for which the flow of data is tracked during a run. */
export interface FlowSource {
  readonly chart: Pick<AgentChart, "tools" | "agents">
  readonly set: PolicySet
  readonly endpoints: FlowEndpoints
  /** Whether the chart contains a tool that runs an agent (AgentTool). */
  readonly hasAgentTools: boolean
}

/**
 * The session state keys and host functions from which an agent receives data in addition to its
 * conversation.
 */
export interface AgentReads {
  /** The session state keys in the templates of the agent's instructions and of its endpoint. */
  readonly keys: readonly string[]
  /** Names of the agent's callbacks and of the functions that return its instructions. */
  readonly services: readonly string[]
}

/**
 * The fields of a model call that data tracking needs. `model` is only set if the called model is
 * not the agent's own model.
 */
type TurnModelCall = Pick<Extract<EmittedEvent, { type: "model.called" }>, "agent" | "model">

/**
 * Tracks source data of a `noFlow` policy during one turn of an LlmAgent. Source data is data from
 * a source of the policy. A boolean member is true if its value contains source data.
 */
export class TurnData {
  /** Whether the model has received data from a source of the `noFlow` policy in this turn. */
  sees: boolean
  /** Whether the agent's turn contains a tool result with data from a source of the policy. */
  hasResult = false
  readonly agent: string
  readonly definition: TurnDefinition
  readonly #reads: AgentReads
  readonly scope: DataScope
  readonly #source: FlowSource
  /**
   * Whether the value that tool calls have written is tainted (contains data from a source of the
   * policy), by session state key. The run stores the values later.
   */
  readonly #writes = new Map<string, boolean>()
  /**
   * For each host function of this turn, by service name, the outputs that may be tainted. Such
   * outputs contain data from a source of the policy.
   */
  readonly #functions = new Map<string, FunctionData>()
  /**
   * Whether a tool call contains data from a source of the policy, by call id. `sent` refers only
   * to the arguments. `request` refers to the whole request, which can also contain session state.
   */
  readonly #calls = new Map<string, { readonly sent: boolean; readonly request: boolean }>()

  readonly #repeated = new Set<string>()

  constructor(
    agent: string,
    definition: TurnDefinition,
    reads: AgentReads,
    scope: DataScope,
    sees: boolean,
    source: FlowSource,
  ) {
    this.agent = agent
    this.definition = definition
    this.#reads = reads
    this.scope = scope
    this.sees = sees
    this.#source = source
  }

  /** Whether the text that the agent produces contains data from a source of the policy. */
  get text(): boolean {
    const { endpoints } = this.#source
    if (endpoints.isCleaned("text", this.agent)) return false
    return (
      this.sees ||
      endpoints.isSource("text", this.agent) ||
      endpointsOf(this.definition).some(({ url }) => endpoints.isSource("server", url))
    )
  }

  /**
   * Returns the locations, such as the input of a model, that data from a source of the policy
   * reaches. Called for model calls of the agent, its summarizer and its guardrails. `model` is
   * only set if the called model is not the agent's own model.
   */
  modelCall({ agent, model: other }: TurnModelCall): readonly Reached[] {
    if (agent !== this.agent) return this.#helperCall(agent)
    const { endpoint, byName } = this.definition
    const hasKeys = this.#anyKey()
    if (this.#isCheckedBySource()) this.sees = true
    if (!hasKeys && !this.sees) return []
    const model = other ?? policyModelNamesOf(this.definition)[0] ?? ""
    const isInstructed = hasKeys && this.#readsAny(this.#reads.keys)
    const sendsState = hasKeys && (endpoint !== null || byName?.state === "appended")
    const isShown = this.#callbacks().some(([, { result }]) => result)
    const sees = this.sees || isInstructed || sendsState || isShown
    return [
      ...(isInstructed ? [["instructions", this.agent] as const] : []),
      ...(sees ? [["input", this.agent] as const, ["model", model] as const] : []),
      ...(sees && endpoint !== null ? [["server", model] as const] : []),
    ]
  }

  /**
   * Returns whether a guardrail of the agent calls a server that the policy names as a source of
   * data.
   */
  #isCheckedBySource(): boolean {
    const { endpoints, chart } = this.#source
    return checkersOf(this.definition.guardrails).some((id) => {
      const checker = chart.agents[id]
      const url = checker?.type === "LlmAgent" ? checker.endpoint?.url : undefined
      return url !== undefined && endpoints.isSource("server", url)
    })
  }

  #helperCall(helper: string): readonly Reached[] {
    const definition = this.#source.chart.agents[helper]
    if (definition?.type !== "LlmAgent") return []
    const { endpoint, model } = definition
    if (!this.sees && (endpoint === null || !this.#anyKey())) return []
    return [
      ["input", helper],
      ["model", endpoint?.url ?? model ?? ""],
      ...(endpoint === null ? [] : [["server", endpoint.url] as const]),
    ]
  }

  followModelCall(): void {
    if (this.modelCall({ agent: this.agent }).length > 0) this.sees = true
    if (this.sees || this.#anyKey())
      for (const [service, flow] of this.#callbacks()) this.#functions.set(service, flow)
  }

  /**
   * Returns the locations that data from a source of the policy reaches when the agent calls the
   * tool.
   */
  toolCall(tool: string): readonly Reached[] {
    const { request } = this.#dataOfCall(tool)
    return [
      ...(this.sees ? [["arguments", tool] as const] : []),
      ...(request
        ? [
            ["request", tool] as const,
            ...this.#serversOf(tool).map((url) => ["server", url] as const),
          ]
        : []),
    ]
  }

  followToolCall(callId: string, tool: string): void {
    if (this.#calls.has(callId)) this.#repeated.add(callId)
    this.#calls.set(callId, this.#dataOfCall(tool))
  }

  /** Returns whether the turn contains several tool calls with this id. */
  isRepeated(callId: string): boolean {
    return this.#repeated.has(callId)
  }

  /**
   * Returns whether the agent sent data from a source of the policy in the arguments of a tool
   * call.
   */
  wasSent(callId: string): boolean {
    return this.#calls.get(callId)?.sent ?? this.sees
  }

  /**
   * Records the result of a tool call. If the tool ran agents (AgentTool), `target` contains their
   * data scopes. A data scope records the tainted values of an agent.
   */
  followResult(callId: string, tool: string, target: readonly DataScope[]): void {
    const { endpoints, chart } = this.#source
    // A call that started before the first data from a source has no entry.
    const call = this.#calls.get(callId) ?? { sent: false, request: false }
    if (!this.#repeated.has(callId)) this.#calls.delete(callId)
    const definition = Object.hasOwn(chart.tools, tool) ? chart.tools[tool] : undefined
    for (const scope of target) for (const key of scope.keys) this.#writes.set(key, true)
    const answer = this.#answerOf(definition, call, target)
    const isSource =
      endpoints.isSource("result", tool) ||
      this.#serversOf(tool).some((url) => endpoints.isSource("server", url))
    const result = !endpoints.isCleaned("result", tool) && (isSource || answer)
    if (definition !== undefined && "outputKey" in definition && definition.outputKey !== null)
      this.#writes.set(definition.outputKey, result)
    this.sees ||= result
    this.hasResult ||= result
  }

  /** The session state keys to which tool calls have written data from a source of the policy. */
  get written(): readonly string[] {
    return [...this.#writes].flatMap(([key, isData]) => (isData ? [key] : []))
  }

  /** Returns whether this turn writes data from a source of the policy to a session state key. */
  writes(key: string): boolean {
    return (
      this.#writes.get(key) === true ||
      (key === this.definition.outputKey && this.text) ||
      [...this.#functions.values()].some((one) => one.writes(key))
    )
  }

  #answerOf(
    definition: ToolDefinition | undefined,
    { sent, request }: { readonly sent: boolean; readonly request: boolean },
    target: readonly DataScope[],
  ): boolean {
    switch (definition?.type) {
      case "HttpTool":
        return request
      case "AgentTool":
        return target.some(({ text }) => text)
      case "FunctionTool": {
        const flow = functionData(definition.service, sent, this.scope, this.#source.set)
        this.#functions.set(definition.service, flow)
        return flow.result
      }
      default:
        return sent
    }
  }

  #dataOfCall(tool: string): { readonly sent: boolean; readonly request: boolean } {
    const { tools } = this.#source.chart
    const definition = Object.hasOwn(tools, tool) ? tools[tool] : undefined
    const sent = this.sees
    if (definition?.type !== "HttpTool") return { sent, request: sent }
    const { endpoint } = definition
    const sendsState = !["GET", "HEAD", "DELETE"].includes(endpoint.method.toUpperCase())
    const request = sent || (sendsState && this.#anyKey()) || this.#readsAny(endpointKeys(endpoint))
    return { sent, request }
  }

  /** Returns the URLs of the servers that receive the calls of a tool. */
  #serversOf(tool: string): readonly string[] {
    const { tools } = this.#source.chart
    const definition = Object.hasOwn(tools, tool) ? tools[tool] : undefined
    if (definition?.type === "HttpTool") return [definition.endpoint.url]
    if (definition !== undefined) return []
    // The tool belongs to one of the toolsets of the agent.
    return (this.definition.toolsets ?? []).flatMap((id) => {
      const toolset = tools[id]
      const { mcp } = toolset?.type === "Toolset" ? toolset : {}
      return mcp !== undefined && "url" in mcp ? [String(mcp.url)] : []
    })
  }

  /**
   * Returns the agent's callbacks and the functions that return its instructions. The second item
   * of each pair records which outputs may contain data from a source of the policy.
   */
  #callbacks(): readonly (readonly [service: string, FunctionData])[] {
    return this.#reads.services.map((service) => [
      service,
      functionData(service, this.sees, this.scope, this.#source.set),
    ])
  }

  #readsAny(keys: readonly string[]): boolean {
    return keys.some((key) => this.scope.keys.has(key) || this.#writes.get(key) === true)
  }

  #anyKey(): boolean {
    return this.scope.keys.size > 0 || [...this.#writes.values()].includes(true)
  }
}
