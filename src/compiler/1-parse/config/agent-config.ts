import type { Budget } from "../../../machines/contract/budget.js"
import type { ChartSettings } from "../../../machines/contract/agent-chart.js"
import type { Activity, OnExpiry } from "../../../machines/contract/activity.js"
import type { AdkDefinition, Hooks } from "../../../machines/contract/agent-definition.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { HttpEndpoint } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { builtInExitLoop } from "../../../machines/model-call/built-in-tools.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** An id or a reference, and its location. */
export interface Named {
  readonly id: string
  readonly at: ConfigLocation
}

/** What the user wrote, value by value checked and in the words that both dialects share. References are still names. */
export interface WorkflowConfig {
  /** Id of the `adk` node that it stood in. */
  readonly nodeId: string | null
  readonly root: Named | null
  /** Null where the list could not be read, or none of its entries: then references are not checked. */
  readonly agents: readonly AgentConfig[] | null
  readonly tools: readonly ToolConfig[] | null
  /** Whether agents may name tools that stand nowhere in the config: ADK's own form has no list of tools. */
  readonly registeredTools: boolean
  /** Only in the adk dialect. */
  readonly plugins: readonly PluginConfig[]
  /** For agents without a model (adk). */
  readonly defaultModel: string | null
  readonly settings: WorkflowSettings
  readonly prompt: string | null
  /** What the workflow says of itself. */
  readonly description: string | null
  readonly state: JsonObject
  readonly context: JsonObject
}

/** Its sub-agents, and the nodes of a graph. */
export const childConfigs = (agent: AgentConfig): readonly SubAgentConfig[] =>
  "subAgents" in agent ? agent.subAgents : []

/** Null: not given. */
export type WorkflowSettings = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] | null
}

export type SettingValues = Omit<ChartSettings, "maxDurationMs" | "budget"> & {
  readonly budget: Budget | null
  readonly subAgentExitFlow: "workflow" | "agent"
  /** In milliseconds; null: for ever. */
  readonly maxDuration: number | null
}

/** What every LlmAgent has besides its own. */
export interface PluginConfig {
  readonly hooks: Hooks
  /** The service that decides on tool calls. */
  readonly policy: string | null
  /** The plugin that is registered with the runner and stands at every moment; absent: its services are named one by one. */
  readonly registered?: string
}

export type AgentConfig =
  | LlmAgentConfig
  | HumanAgentConfig
  | CustomAgentConfig
  | ContainerConfig
  | WorkflowGraphConfig
  | GraphNodeConfig
  | UnknownAgentConfig

interface AnyAgentConfig {
  /** Null: it has none that could be read. */
  readonly id: string | null
  readonly description: string | null
  readonly at: ConfigLocation
  /** Where a field stands or would stand, by the name that the tables use. */
  readonly fieldAt: (field: string) => ConfigLocation
}

export interface LlmAgentConfig extends AnyAgentConfig {
  readonly type: "LlmAgent"
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly instructions: string | null
  readonly outputKey: string | null
  readonly tools: readonly Named[]
  /** Those of its tools that are written right there or built in (adk). */
  readonly ownTools: readonly ToolConfig[]
  readonly activity: Activity
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  /** How long a turn may take, in milliseconds; absent: for ever. */
  readonly maxDurationMs?: number
  readonly budget?: Budget
  readonly subAgents: readonly SubAgentConfig[]
  readonly disallowTransferToParent: boolean
  readonly disallowTransferToPeers: boolean
  /** What only ADK has; null in the graph-compose dialect. `globalInstruction` and `hooks` are the agent's own. */
  readonly adk: AdkDefinition | null
}

interface HumanAgentConfig extends AnyAgentConfig {
  readonly type: "HumanAgent"
  readonly prompt: string | null
  readonly outputKey: string | null
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
}

/** Host code as an agent (adk). */
export interface CustomAgentConfig extends AnyAgentConfig {
  readonly type: "CustomAgent"
  /** Null: the service bears the agent's name. */
  readonly service: string | null
  /** What its class has besides: the service gets it. */
  readonly fields: JsonObject | null
  /** Those that it may run; nothing looks at their conditions. */
  readonly subAgents: readonly SubAgentConfig[]
  readonly hooks: Hooks
}

type ContainerConfig = AnyAgentConfig & {
  /** Callbacks around it (adk). */
  readonly hooks?: Hooks
  readonly subAgents: readonly SubAgentConfig[]
  readonly outputKey: string | null
} & (
    | { readonly type: "SequentialAgent" }
    | {
        readonly type: "ParallelAgent"
        readonly failurePolicy: "fail-fast" | "collect" | "wait-all" | null
        readonly maxConcurrency: number | null
      }
    | {
        readonly type: "LoopAgent"
        readonly maxIterations: number | null
        readonly exitCondition: string | null
      }
  )

/** A graph of nodes (adk). */
export interface WorkflowGraphConfig extends AnyAgentConfig {
  readonly type: "Workflow"
  /** Its nodes, each once. */
  readonly subAgents: readonly SubAgentConfig[]
  readonly edges: readonly EdgeConfig[]
  readonly maxIterations: number | null
  readonly hooks: Hooks
}

export interface EdgeConfig {
  /** null: where the graph begins. */
  readonly from: NodeUse | null
  readonly to: NodeUse
  /** Followed only when the node before it chose this route; null: always, or as `otherwise` says. */
  readonly route: string | null
  /** Followed when no other route fits. */
  readonly otherwise: boolean
  readonly at: ConfigLocation
}

/** A node where an edge names it. `own`: the node itself, where it is written right there. */
export interface NodeUse {
  readonly name: Named
  readonly own: AgentConfig | null
}

/** What stands in graphs only. */
export type GraphNodeConfig = AnyAgentConfig &
  (
    | {
        readonly type: "FunctionNode" | "RouterNode"
        /** Null: the service bears the node's name. */
        readonly service: string | null
        /** The routes that it may choose, where that is known. */
        readonly routes: readonly string[] | null
      }
    | { readonly type: "JoinNode" }
    | {
        readonly type: "ToolNode"
        /** A tool of the workflow; null where the node names the tool's function itself. */
        readonly tool: Named | null
        readonly code: FunctionToolConfig | null
      }
  )

/** Something with an id whose type is unknown: reported, but what refers to it is not wrong as well. */
interface UnknownAgentConfig extends AnyAgentConfig {
  readonly type: null
}

/** An entry of `subAgents`: the name of an agent that stands elsewhere, or an agent that stands right there. */
export type SubAgentConfig =
  | {
      readonly type: "reference"
      readonly to: Named
      readonly when: string | null
      readonly at: ConfigLocation
    }
  | {
      readonly type: "inline"
      readonly agent: AgentConfig
      readonly when: string | null
      readonly at: ConfigLocation
    }

export type ToolConfig =
  | HttpToolConfig
  | AgentToolConfig
  | FunctionToolConfig
  | ToolsetConfig
  | ExitLoopToolConfig
  | UnknownToolConfig

interface AnyToolConfig {
  readonly id: string | null
  readonly at: ConfigLocation
  readonly fieldAt: (field: string) => ConfigLocation
}

export interface HttpToolConfig extends AnyToolConfig {
  readonly type: "HttpTool"
  readonly description: string | null
  readonly parameters: JsonObject | null
  readonly endpoint: HttpEndpoint | null
  readonly outputKey: string | null
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  /** Only in the adk dialect. */
  readonly requireConfirmation: boolean
  readonly activity: Activity
}

export interface AgentToolConfig extends AnyToolConfig {
  readonly type: "AgentTool"
  readonly target: Named | null
  /** The target itself, where it is written right there (adk). */
  readonly inline: AgentConfig | null
  readonly skipSummarization: boolean
  readonly outputKey: string | null
  /** How long a request for its approval stays open (adk). */
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  readonly activity: Activity
}

/** Host code as a tool (adk). */
export interface FunctionToolConfig extends AnyToolConfig {
  readonly type: "FunctionTool"
  /** Null: the service bears the tool's id. */
  readonly service: string | null
  readonly description: string | null
  readonly parameters: JsonObject | null
  readonly requireConfirmation: boolean
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  /** It only starts the work: what it returns is a ticket, and the result is delivered later. */
  readonly longRunning?: true
  /** The service makes the tool from this. */
  readonly factory?: JsonObject
  /** Written among the tools of an agent, where several agents may write the same. */
  readonly atAgent?: true
}

/** Tools that are known only when they are asked for: host code with two verbs, list and call (adk). Agents name it like a tool. */
export interface ToolsetConfig extends AnyToolConfig {
  readonly type: "Toolset"
  /** Null: the service bears the toolset's id. */
  readonly service: string | null
  /** Names of the tools that agents get, as the toolset itself calls them; null: all. */
  readonly toolFilter: readonly string[] | null
  /** Models know its tools as `prefix_name`. */
  readonly prefix: string | null
  readonly requireConfirmation: boolean
  readonly expiresInMs: number | null
  readonly onExpiry?: OnExpiry
  /** Where an MCP server is to be reached; null: the service is registered by code. */
  readonly mcp: McpConnection | null
}

export interface ExitLoopToolConfig extends AnyToolConfig {
  readonly type: "ExitLoopTool"
  readonly id: typeof builtInExitLoop
}

export interface UnknownToolConfig extends AnyToolConfig {
  readonly type: null
}
