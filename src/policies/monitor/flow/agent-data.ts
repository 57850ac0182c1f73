import type { ChartNames } from "../chart-names.js"
import type { DataScope } from "./data-scopes.js"
import { functionData } from "./function-flow.js"
import type { FlowSource } from "./turn-data.js"

/**
 * Whether the text of an agent, and each session state key that it writes, contain data from a
 * source of a `noFlow` policy.
 */
interface AgentData {
  readonly text: boolean
  key(key: string): boolean
}

/**
 * Returns whether the output of a HumanAgent, a JoinNode or a host function is tainted, which means
 * that it contains data from a source of the policy. Returns null for all other agents, such as
 * containers, which produce no data themselves.
 */
export function dataOfAgent(
  agent: string,
  kind: string,
  scope: DataScope,
  input: boolean,
  { ofStates }: ChartNames,
  { chart, set, endpoints }: FlowSource,
): AgentData | null {
  if (kind === "HumanAgent") {
    const text = endpoints.isSource("answer", agent)
    return { text, key: (key) => text && key === chart.agents[agent]?.outputKey }
  }
  if (kind === "JoinNode") return { text: input, key: () => false }
  const service = ofStates.agentServices.get(agent)
  if (kind === "Workflow" || kind === "ParallelAgent" || service === undefined) return null
  const flow = functionData(service, input, scope, set)
  const tool = kind === "ToolNode" ? ofStates.nodeTools.get(agent) : undefined
  const isCleaned = tool !== undefined && endpoints.isCleaned("result", tool)
  const isSource = tool !== undefined && endpoints.isSource("result", tool)
  // A router node passes its input to the next node.
  const passesOn = kind === "RouterNode" && input
  const text = isSource || (!isCleaned && flow.result) || passesOn
  return { text, key: (key) => flow.writes(key) }
}
