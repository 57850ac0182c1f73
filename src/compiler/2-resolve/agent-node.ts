import type { Budget } from "../../machines/contract/budget.js"
import type { Activity, OnExpiry } from "../../machines/contract/activity.js"
import type { AdkDefinition, Hooks } from "../../machines/contract/agent-definition.js"
import type { McpConnection } from "../../machines/contract/mcp-connection.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { SettingValues } from "../1-parse/config/agent-config.js"

/**
 * A workflow whose references are resolved: what the analysis looks at and the chart is emitted from.
 * Agents are shared where the config refers to one twice, so this is a graph without cycles; the chart has a
 * state for every position.
 */
export interface Workflow {
  /** Id of the root agent, or of the `adk` node that the config stood in. */
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** What it says of itself, else its root. */
  readonly description: string | null
  readonly root: AgentNode
  /** All agents by id, inline ones and unreachable ones included. */
  readonly agents: ReadonlyMap<string, AgentNode>
  readonly tools: ReadonlyMap<string, ToolNode>
  /** Names of plugins that are registered with the runner (adk). */
  readonly plugins?: ReadonlySet<string>
  readonly settings: SettingValues
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** `context` for templates: that of the graph, else that of the workflow config. */
  readonly context: JsonObject
  /** Schemas that the config names and of which it is not known what they say. */
  readonly unresolved: readonly {
    readonly name: string
    readonly kind: "schema"
    readonly usedBy: string
  }[]
}

export type AgentNode =
  | LlmAgentNode
  | HumanAgentNode
  | CustomAgentNode
  | SequentialAgentNode
  | ParallelAgentNode
  | LoopAgentNode
  | WorkflowGraphNode
  | CodeNode
  | FunctionToolNode
  | JoinNode

/** Agents that it runs or hands over to, tools left aside. */
export const subAgentsOf = (agent: AgentNode): readonly AgentNode[] =>
  "subAgents" in agent
    ? agent.subAgents.map((entry) => ("agent" in entry ? entry.agent : entry))
    : []

interface AnyAgentNode {
  readonly id: string
  readonly description: string | null
  /** JSON pointer to where the agent stands in the config as given. */
  readonly pointer: string
}

/** Callbacks around an agent that is no LlmAgent, those of plugins first; absent where there are none. */
interface CalledBack {
  readonly hooks?: Pick<Hooks, "beforeAgent" | "afterAgent">
}

export interface LlmAgentNode extends AnyAgentNode {
  readonly type: "LlmAgent"
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly instructions: string | null
  readonly outputKey: string | null
  /** Tools that it may call; every id is in `Workflow.tools`. */
  readonly tools: readonly string[]
  readonly activity: Activity
  /** How long its requests for approval and input stay open; null: for ever. */
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  /** How long a turn may take, in milliseconds; absent: for ever. */
  readonly maxDurationMs?: number
  readonly budget?: Budget
  /** Inline sub-agents: its handoff targets. Empty where it is no team. */
  readonly subAgents: readonly AgentNode[]
  readonly disallowTransferToParent: boolean
  readonly disallowTransferToPeers: boolean
  /** What only ADK has; null in the graph-compose dialect. */
  readonly adk: AdkDefinition | null
}

/** Whether the agent has an output schema. Such an agent never transfers the conversation (docs/semantics.md#handoffs). */
export const hasOutputSchema = ({ adk }: LlmAgentNode): boolean =>
  adk !== null && adk.outputSchema !== null

export interface HumanAgentNode extends AnyAgentNode {
  readonly type: "HumanAgent"
  readonly prompt: string | null
  readonly outputKey: string | null
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
}

/** Host code as an agent (adk): a named service that runs its sub-agents as it decides. */
export interface CustomAgentNode extends AnyAgentNode, CalledBack {
  readonly type: "CustomAgent"
  readonly service: string
  /** Fields of its own class, for the service; absent where there are none. */
  readonly fields?: JsonObject
  readonly subAgents: readonly AgentNode[]
}

/** A position in a container: the agent, and the condition under which it is run. */
export interface Position {
  readonly agent: AgentNode
  readonly when: string | null
  readonly pointer: string
}

export interface SequentialAgentNode extends AnyAgentNode, CalledBack {
  readonly type: "SequentialAgent"
  readonly subAgents: readonly Position[]
  readonly outputKey: string | null
}

export interface ParallelAgentNode extends AnyAgentNode, CalledBack {
  readonly type: "ParallelAgent"
  readonly subAgents: readonly Position[]
  readonly failurePolicy: "fail-fast" | "collect" | "wait-all"
  /** How many branches may be at work at once; null for all. */
  readonly maxConcurrency: number | null
}

export interface LoopAgentNode extends AnyAgentNode, CalledBack {
  readonly type: "LoopAgent"
  readonly subAgents: readonly Position[]
  /** null: no maximum (only in the adk dialect). */
  readonly maxIterations: number | null
  readonly exitCondition: string | null
  readonly outputKey: string | null
}

/** A graph of nodes, which run as its edges lead (adk). */
export interface WorkflowGraphNode extends AnyAgentNode, CalledBack {
  readonly type: "Workflow"
  /** Its nodes, each once. */
  readonly subAgents: readonly AgentNode[]
  readonly edges: readonly GraphEdge[]
  /** How often one node may run. */
  readonly maxIterations: number
}

/** `from` and `to` are places in the list of nodes; `from` -1 is where the graph begins. */
export interface GraphEdge {
  readonly from: number
  readonly to: number
  /** The route by which it is followed; null: always, or as `otherwise` says. */
  readonly route: string | null
  /** Followed when no other route fits. */
  readonly otherwise: boolean
}

/** Host code as a node of a graph: what it returns is the node's output, or the route it chooses. */
export interface CodeNode extends AnyAgentNode {
  readonly type: "FunctionNode" | "RouterNode"
  readonly service: string
}

/** A node that calls the function of a FunctionTool. */
export interface FunctionToolNode extends AnyAgentNode {
  readonly type: "ToolNode"
  readonly service: string
  /** Id of the tool. */
  readonly tool: string
  /** JSON schema of what its function is given; null where the tool does not say. */
  readonly parameters: JsonObject | null
  /** A person has to approve each call. */
  readonly requireConfirmation: boolean
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
}

/** A node that gives on what came to it, by the names of the nodes that it came from. */
export interface JoinNode extends AnyAgentNode {
  readonly type: "JoinNode"
}

export type ToolNode =
  | {
      /** ADK's built-in `exit_loop`: escalates, and the model is not asked again. */
      readonly type: "ExitLoopTool"
      readonly id: string
      readonly pointer: string
    }
  | {
      /** Host code as a tool (adk). */
      readonly type: "FunctionTool"
      readonly id: string
      readonly service: string
      readonly description: string | null
      readonly parameters: JsonObject | null
      readonly requireConfirmation: boolean
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly longRunning?: true
      readonly factory?: JsonObject
      readonly pointer: string
    }
  | {
      /** Tools that are known only when they are asked for (adk). */
      readonly type: "Toolset"
      readonly id: string
      readonly service: string
      readonly toolFilter: readonly string[] | null
      readonly prefix: string | null
      readonly requireConfirmation: boolean
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly mcp: McpConnection | null
      readonly pointer: string
    }
  | {
      readonly type: "HttpTool"
      readonly id: string
      readonly description: string | null
      readonly parameters: JsonObject | null
      readonly endpoint: HttpEndpoint
      readonly outputKey: string | null
      /** How long a long-running call or a consent stays open; null: for ever. */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      /** A person has to approve each call (adk). */
      readonly requireConfirmation: boolean
      readonly activity: Activity
      readonly pointer: string
    }
  | {
      readonly type: "AgentTool"
      readonly id: string
      readonly target: AgentNode
      readonly skipSummarization: boolean
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly activity: Activity
      readonly pointer: string
    }
