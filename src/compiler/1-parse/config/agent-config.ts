import type { NodeRetry } from "../../../machines/contract/chart-graph.js"
import type { ParsedNodeOptions } from "./parsed-node-options.js"
import type { ReadFrom } from "./read-from.js"
import type { Activity, ModelFallback, ModelRoute } from "../../../machines/contract/activity.js"
import type { AgentChart, MergeRule } from "../../../machines/contract/agent-chart.js"
import type { Budget } from "../../../machines/contract/budget.js"
import type { Completion, ForEach } from "../../../machines/contract/chart-machine.js"
import type { HookUse } from "../../../machines/contract/hook-use.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { HttpEndpoint } from "../../../machines/contract/services.js"
import type { AnswerChoice } from "../../../machines/contract/pending-request.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { compaction } from "../../agent-types/compaction.js"
import type { loopAgent, parallelAgent, sequentialAgent } from "../../agent-types/containers.js"
import type { machineAgent } from "../../agent-types/machine-agent.js"
import type { UserMachine } from "../../../machines/contract/host/user-machine.js"
import type { customAgent } from "../../agent-types/custom-agent.js"
import type { Dialect } from "../../agent-types/dialects.js"
import type { FieldDescriptions, FieldValues } from "../../agent-types/field-description.js"
import type {
  functionNode,
  joinNode,
  toolNode,
  workflowGraph,
} from "../../agent-types/graph-nodes.js"
import type { humanAgent } from "../../agent-types/human-agent.js"
import type { ParsedWaitAgent } from "./wait-agent.js"
import type { llmAgent } from "../../agent-types/llm-agent.js"
import type {
  agentTool,
  functionTool,
  httpTool,
  openApiToolset,
  toolset,
} from "../../agent-types/tools.js"
import type { ValueType } from "../../agent-types/value-types.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"
import type { CalledWorkflow, ParsedCall } from "./called-workflow.js"
import type { LocatedId } from "./named.js"
import type { ParsedPlainValues } from "./plain-values.js"
import type {
  ParsedExitLoopTool,
  ParsedPreloadMemoryTool,
  ParsedUnknownTool,
} from "./parsed-tools.js"
import type { ParsedGuardrailValues } from "./parsed-guardrails.js"
import type { ParsedTaskValues } from "./task-values.js"

/** Maps each value type of config fields to the TypeScript type of its parsed values. */
export interface ParsedValues
  extends
    Omit<
      Record<ValueType, unknown>,
      keyof ParsedTaskValues | keyof ParsedPlainValues | keyof ParsedGuardrailValues
    >,
    ParsedTaskValues,
    ParsedPlainValues,
    ParsedGuardrailValues {
  readonly nodeOptions: ReadonlyMap<string, ParsedNodeOptions>
  readonly nodeRetry: NodeRetry
  /** A duration in milliseconds. */
  readonly duration: number
  readonly reference: LocatedId
  readonly collect: ForEach["collect"]
  readonly forEach: ForEach
  readonly completion: Completion
  readonly stateMerge: Readonly<Record<string, MergeRule>>
  readonly headers: NonNullable<HttpEndpoint["headers"]>
  readonly httpBody: JsonObject | string
  readonly httpConfig: HttpEndpoint
  readonly activityConfig: Activity
  readonly modelActivityConfig: Activity
  readonly retryPolicy: Omit<Activity, "startToCloseMs" | "scheduleToCloseMs">
  readonly budget: Budget
  readonly compaction: ParsedFields<typeof compaction.fields>
  readonly onExceeded: Budget["onExceeded"]
  readonly fallback: readonly ModelFallback[]
  readonly modelRoutes: readonly ModelRoute[]
  readonly failureClasses: ModelFallback["on"]
  /** The instruction, which may contain placeholders, or the host function that returns it. */
  readonly instruction: string | { readonly service: string }
  readonly callbacks: readonly HookUse[]
  readonly tools: readonly ToolUse[]
  readonly handoffTargets: readonly SubAgentConfig[]
  readonly positions: readonly SubAgentConfig[]
  readonly codeSubAgents: readonly SubAgentConfig[]
  readonly edges: WorkflowEdges
  readonly inlineNodes: readonly SubAgentConfig[]
  readonly userMachine: UserMachine
  readonly calledWorkflow: string | AgentChart
  readonly workflowFile: CalledWorkflow
  /** Maps each input field of a state machine or a called workflow to a state key. */
  readonly machineInput: Readonly<Record<string, string>>
  readonly answerChoices: readonly AnswerChoice[]
}

/** The parsed values of an object's fields. A missing field has its default value or null. */
export type ParsedFields<Fields extends FieldDescriptions> = FieldValues<Fields, ParsedValues>

export type AgentConfig =
  | ParsedLlmAgent
  | ParsedHumanAgent
  | ParsedCustomAgent
  | ParsedMachineAgent
  | ParsedCall
  | ParsedWaitAgent
  | ParsedSequentialAgent
  | ParsedParallelAgent
  | ParsedLoopAgent
  | ParsedWorkflowGraph
  | ParsedCodeNode
  | ParsedJoinNode
  | ParsedToolNode
  | UnknownAgentConfig

export interface ParsedLlmAgent extends ParsedFields<typeof llmAgent.fields>, ReadFrom {
  readonly type: "LlmAgent"
  readonly dialect: Dialect
}

export interface ParsedHumanAgent extends ParsedFields<typeof humanAgent.fields>, ReadFrom {
  readonly type: "HumanAgent"
}

/**
 * The parsed config of an agent that is implemented by a host function (adk dialect only). If
 * `service` is null, the function is registered under the agent's name.
 */
export interface ParsedCustomAgent extends ParsedFields<typeof customAgent.fields>, ReadFrom {
  readonly type: "CustomAgent"
  /** Fields of the user's own agent class, passed to the host function. Null if there are none. */
  readonly fields: JsonObject | null
}

/** A parsed agent that is an XState machine. If `service` is null, the agent's name is used. */
export interface ParsedMachineAgent extends ParsedFields<typeof machineAgent.fields>, ReadFrom {
  readonly type: "MachineAgent"
}

export interface ParsedSequentialAgent
  extends ParsedFields<typeof sequentialAgent.fields>, ReadFrom {
  readonly type: "SequentialAgent"
}

export interface ParsedParallelAgent extends ParsedFields<typeof parallelAgent.fields>, ReadFrom {
  readonly type: "ParallelAgent"
}

export interface ParsedLoopAgent extends ParsedFields<typeof loopAgent.fields>, ReadFrom {
  readonly type: "LoopAgent"
}

/** A parsed graph of nodes (adk dialect only). `subAgents` contains each node once. */
export interface ParsedWorkflowGraph
  extends Omit<ParsedFields<typeof workflowGraph.fields>, "edges" | "nodes">, ReadFrom {
  readonly type: "Workflow"
  readonly subAgents: readonly SubAgentConfig[]
  readonly edges: readonly EdgeConfig[]
  /** All edges as they are written in the config. `edges` omits duplicates. */
  readonly writtenEdges: readonly EdgeConfig[]
}

/**
 * The parsed config of a graph node that is a host function. If `service` is null, the function is
 * registered under the node's name.
 */
export interface ParsedCodeNode extends ParsedFields<typeof functionNode.fields>, ReadFrom {
  readonly type: "FunctionNode" | "RouterNode"
}

export interface ParsedJoinNode extends ParsedFields<typeof joinNode.fields>, ReadFrom {
  readonly type: "JoinNode"
}

/** A graph node that calls a tool of the workflow, or the host function `code` if it is set. */
export interface ParsedToolNode
  extends Omit<ParsedFields<typeof toolNode.fields>, "toolCode">, ReadFrom {
  readonly type: "ToolNode"
  readonly code: ParsedFunctionTool | null
}

/** An agent with an unknown type, which is already reported. References to its id are accepted. */
interface UnknownAgentConfig extends ReadFrom {
  readonly type: null
  readonly id: string | null
  readonly description: string | null
}

/** The parsed edges of a Workflow. `nodes` contains each node in the edges once. */
export interface WorkflowEdges {
  readonly edges: readonly EdgeConfig[]
  /** All edges as they are written in the config. `edges` omits duplicates. */
  readonly written: readonly EdgeConfig[]
  readonly nodes: readonly SubAgentConfig[]
}

export interface EdgeConfig {
  /** The source node. Null means the start of the graph. */
  readonly from: NodeUse | null
  readonly to: NodeUse
  /** The edge is followed if the source node chooses this route. Null if the edge has no route. */
  readonly route: string | null
  /**
   * Whether this is the default edge, which is followed if the source node chooses no other route.
   * A non-default edge without a route is always followed.
   */
  readonly otherwise: boolean
  readonly location: ConfigLocation
}

/**
 * A graph node at one end of an edge. `own` is the definition of the node, or null if the edge only
 * refers to the node by name.
 */
export interface NodeUse {
  readonly name: LocatedId
  readonly own: AgentConfig | null
}

/** A parsed entry of `subAgents`: a reference to an agent by name, or a nested agent. */
export type SubAgentConfig =
  | {
      readonly type: "reference"
      readonly to: LocatedId
      readonly when: string | null
      readonly location: ConfigLocation
    }
  | {
      readonly type: "inline"
      readonly agent: AgentConfig
      readonly when: string | null
      readonly location: ConfigLocation
    }

/**
 * A parsed entry of an agent's `tools`. `own` is the definition of the tool. It is null if the
 * entry only refers to a tool by name.
 */
export interface ToolUse {
  readonly name: LocatedId
  readonly own: ToolConfig | null
}

export type ToolConfig =
  | ParsedHttpTool
  | ParsedAgentTool
  | ParsedFunctionTool
  | ParsedToolset
  | ParsedOpenApiToolset
  | ParsedExitLoopTool
  | ParsedPreloadMemoryTool
  | ParsedUnknownTool

type ToolFields<Fields extends FieldDescriptions> = Omit<ParsedFields<Fields>, "type">

export interface ParsedHttpTool extends ToolFields<typeof httpTool.fields>, ReadFrom {
  readonly type: "HttpTool"
}

export interface ParsedAgentTool extends ToolFields<typeof agentTool.fields>, ReadFrom {
  readonly type: "AgentTool"
  /** The agent that the tool runs. Null if the tool refers to the agent by name. */
  readonly inline: AgentConfig | null
}

/**
 * The parsed config of a tool that is a host function (adk dialect only). If `service` is null, the
 * function is registered under the tool's id.
 */
export interface ParsedFunctionTool extends ToolFields<typeof functionTool.fields>, ReadFrom {
  readonly type: "FunctionTool"
  /** Whether the function only starts a task, whose result the run receives later. */
  readonly longRunning: boolean
  /** Arguments from which the service creates the tool. Null if the service is the tool. */
  readonly factory: JsonObject | null
  /**
   * Whether the tool is defined in the `tools` of an agent instead of the workflow's list of tools.
   * Other agents may then define the same tool again.
   */
  readonly atAgent: boolean
}

/**
 * A parsed toolset (adk dialect only). An MCP server or a host function lists its tools at run
 * time. If `service` and `mcp` are null, the function is registered under the toolset's id.
 */
export interface ParsedToolset extends ToolFields<typeof toolset.fields>, ReadFrom {
  readonly type: "Toolset"
  /** How to connect to the MCP server. Null if the toolset is a host function. */
  readonly mcp: McpConnection | null
}

/**
 * The parsed config of a toolset whose tools are the operations of an OpenAPI document. Each
 * operation becomes an HttpTool.
 */
export interface ParsedOpenApiToolset extends ToolFields<typeof openApiToolset.fields>, ReadFrom {
  readonly type: "OpenAPIToolset"
  readonly tools: readonly ParsedHttpTool[]
}
