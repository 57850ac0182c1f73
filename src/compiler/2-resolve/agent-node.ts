import type { ChartNodeOptions } from "../../machines/contract/chart-graph.js"
import type {
  AdkDefinition,
  Hooks,
  RemoteAgentDefinition,
} from "../../machines/contract/agent-definition.js"
import type { McpConnection } from "../../machines/contract/mcp-connection.js"
import type { Activity } from "../../machines/contract/activity.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { Dialect } from "../agent-types/dialects.js"
import type {
  ParsedAgentTool,
  ParsedFunctionTool,
  ParsedHttpTool,
  ParsedHumanAgent,
  ParsedLlmAgent,
  ParsedLoopAgent,
  ParsedMachineAgent,
  ParsedParallelAgent,
  ParsedSequentialAgent,
  ParsedToolset,
} from "../1-parse/config/agent-config.js"
import type {
  CalledWorkflow,
  ParsedRemoteAgent,
  ParsedWorkflowAgent,
} from "../1-parse/config/called-workflow.js"
import type { ParsedWaitAgent } from "../1-parse/config/wait-agent.js"
import type { SettingValues } from "../1-parse/config/workflow-config.js"
import type { AnyAgentNode, CopiedFields } from "./node-base.js"

export type { CopiedFields, ParserField } from "./node-base.js"

/**
 * A workflow after references are resolved, which is the input of the analysis and of code
 * generation. If the config refers to an agent twice, both parents share the agent's node, so the
 * nodes form an acyclic graph, not a tree. The chart has a separate state for every position of the
 * agent.
 */
export interface WorkflowTree {
  /** Id of the graph node that contains the config. Outside graphs, the id of the root agent. */
  readonly id: string
  readonly dialect: Dialect
  /** Id of the graph node that contains the workflow. Null outside graphs. */
  readonly node: string | null
  /** Description of the workflow, or else of its root agent. Null if neither has one. */
  readonly description: string | null
  readonly root: AgentNode
  /** All agents by id, including nested and unreachable agents. */
  readonly agents: ReadonlyMap<string, AgentNode>
  readonly tools: ReadonlyMap<string, ResolvedTool>
  /** Names of the plugins that must be registered with the runner (adk dialect only). */
  readonly plugins: ReadonlySet<string>
  readonly settings: SettingValues
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /**
   * Values that templates access as `context`. A workflow in a graph has the context of the graph.
   */
  readonly context: JsonObject
  /** Schemas that the config refers to by name, but that were not passed to the compiler. */
  readonly unresolved: readonly {
    readonly name: string
    readonly kind: "schema"
    readonly usedBy: string
  }[]
}

export type AgentNode =
  | LlmAgentNode
  | HumanAgentNode
  | WorkflowAgentNode
  | WaitAgentNode
  | CustomAgentNode
  | MachineAgentNode
  | SequentialAgentNode
  | ParallelAgentNode
  | LoopAgentNode
  | WorkflowGraphNode
  | CodeNode
  | FunctionToolNode
  | JoinGraphNode

/**
 * Returns the agents that an agent runs or hands off to. Agents that run as its tools are not
 * included.
 */
export const subAgentsOf = (agent: AgentNode): readonly AgentNode[] =>
  "subAgents" in agent
    ? agent.subAgents.map((entry) => ("agent" in entry ? entry.agent : entry))
    : []

/** An agent that can have callbacks before and after its turn. */
interface WithCallbacks {
  /**
   * Callbacks before and after the turn, with callbacks of plugins first. Null if there are none.
   */
  readonly hooks: Pick<Hooks, "beforeAgent" | "afterAgent"> | null
}

/**
 * Config fields of an LlmAgent that are not copied to the resolved agent. The resolved agent has
 * them in another form, or in its field `adk`.
 */
export type ReplacedLlmField = keyof AdkDefinition | "modelCode" | "activity" | "tools"

export interface LlmAgentNode extends AnyAgentNode, CopiedFields<ParsedLlmAgent, ReplacedLlmField> {
  readonly activity: Activity
  /** Ids of the agent's tools, which are keys of `WorkflowTree.tools`. */
  readonly tools: readonly string[]
  /** Name of the service that loads memories before each turn. Null if the agent has none. */
  readonly memoryService: string | null
  /** The agents that this agent can hand off the conversation to. Empty if there are none. */
  readonly subAgents: readonly AgentNode[]
  /** The fields that only exist in the adk dialect. Null in the graph-compose dialect. */
  readonly adk: AdkDefinition | null
}

/**
 * Returns whether an agent has an output schema. Such an agent never hands off the conversation to
 * another agent (docs/semantics.md#handoffs).
 */
export const hasOutputSchema = ({ adk }: LlmAgentNode): boolean =>
  adk !== null && adk.outputSchema !== null

export interface HumanAgentNode extends AnyAgentNode, CopiedFields<ParsedHumanAgent> {}

/**
 * An agent that is a host function (adk dialect only). The function decides which sub-agents run.
 */
export interface CustomAgentNode extends AnyAgentNode, WithCallbacks {
  readonly type: "CustomAgent"
  readonly service: string
  /** Fields of the user's own agent class, passed to the host function. Null if there are none. */
  readonly fields: JsonObject | null
  readonly subAgents: readonly AgentNode[]
}

/** An agent that is an XState machine (adk dialect only). */
export interface MachineAgentNode
  extends AnyAgentNode, WithCallbacks, CopiedFields<ParsedMachineAgent, "service"> {
  readonly service: string
  /** The agents that the state machine can invoke. */
  readonly subAgents: readonly AgentNode[]
}

/** An agent that calls another workflow, or an agent on another server. */
export interface WorkflowAgentNode
  extends AnyAgentNode, CopiedFields<ParsedWorkflowAgent, "target" | "output"> {
  readonly target: CalledWorkflow
  readonly output: ParsedWorkflowAgent["output"] | ParsedRemoteAgent["output"]
  /** The agent on another server that is called. Null if a workflow is called. */
  readonly remote: RemoteAgentDefinition | null
}

/** An agent that waits for a duration or until a time. */
export interface WaitAgentNode extends AnyAgentNode, CopiedFields<ParsedWaitAgent> {}

/**
 * An agent that runs in a predefined machine of this package: an LlmAgent, or an agent without
 * sub-agents.
 */
export type LeafAgentNode = LlmAgentNode | HumanAgentNode | WorkflowAgentNode | WaitAgentNode

/**
 * A sub-agent of a container. If `when` is a condition, the sub-agent only runs if the condition is
 * true. If `when` is null, the sub-agent always runs.
 */
export interface Position {
  readonly agent: AgentNode
  readonly when: string | null
  readonly pointer: string
}

interface ContainerNode extends AnyAgentNode, WithCallbacks {
  readonly subAgents: readonly Position[]
}

export interface SequentialAgentNode extends ContainerNode, CopiedFields<ParsedSequentialAgent> {}

export interface ParallelAgentNode
  extends ContainerNode, CopiedFields<ParsedParallelAgent, "outputKey"> {}

export interface LoopAgentNode extends ContainerNode, CopiedFields<ParsedLoopAgent> {}

/** A graph of nodes that run in the order of its edges (adk dialect only). */
export interface WorkflowGraphNode extends AnyAgentNode, WithCallbacks {
  readonly type: "Workflow"
  /** The nodes of the graph. Each node occurs once. */
  readonly subAgents: readonly AgentNode[]
  readonly edges: readonly GraphEdge[]
  /** Maximum number of times that each node runs in one run of the graph. */
  readonly maxIterations: number
  /**
   * When a node with several incoming edges runs. `each` means each time that a predecessor
   * completes. `joined` means after all edges that can still deliver an input.
   */
  readonly triggering: "joined" | "each"
  readonly maxConcurrency: number | null
  /** The options of the nodes and of the graph itself, by id. */
  readonly nodeOptions: ReadonlyMap<string, GraphNodeOptions>
}

/** The options of a graph node. `isWorker`: the node runs once for each item of its input. */
export interface GraphNodeOptions {
  readonly options: ChartNodeOptions
  readonly isWorker: boolean
}

/**
 * An edge of a graph. `from` and `to` are indexes in the list of nodes. `from` is -1 for the start
 * of the graph.
 */
export interface GraphEdge {
  readonly from: number
  readonly to: number
  /** The edge is followed if the source node chooses this route. Null if the edge has no route. */
  readonly route: string | null
  /**
   * Whether this is the default edge, which is followed if the source node chooses no other route.
   * A non-default edge without a route is always followed.
   */
  readonly otherwise: boolean
}

/** A graph node that is a host function. It returns the output of the node, or a route name. */
export interface CodeNode extends AnyAgentNode {
  readonly type: "FunctionNode" | "RouterNode"
  readonly service: string
}

/** A graph node that calls the function of a FunctionTool. */
export interface FunctionToolNode
  extends
    AnyAgentNode,
    Pick<ParsedFunctionTool, "parameters" | "requireConfirmation" | "expiresInMs" | "onExpiry"> {
  readonly type: "ToolNode"
  readonly service: string
  /** Id of the FunctionTool that the node calls. */
  readonly tool: string
}

/** A graph node that waits for its predecessors and collects their outputs by node name. */
export interface JoinGraphNode extends AnyAgentNode {
  readonly type: "JoinNode"
}

interface AnyToolNode {
  readonly id: string
  readonly pointer: string
}

type CopiedToolFields<Config, Replaced extends string = never> = Omit<
  Config,
  "location" | "fieldAt" | "id" | Replaced
>

export type ResolvedTool =
  | ExitLoopToolNode
  | HostFunctionToolNode
  | ToolsetNode
  | HttpToolNode
  | AgentToolNode

/**
 * ADK's built-in tool `exit_loop`. After a call of this tool, the agent's model is not called again
 * in the same turn.
 */
interface ExitLoopToolNode extends AnyToolNode {
  readonly type: "ExitLoopTool"
}

/** A tool that is a host function (adk dialect only). */
interface HostFunctionToolNode
  extends AnyToolNode, CopiedToolFields<ParsedFunctionTool, "service" | "atAgent"> {
  readonly service: string
}

/** A toolset (adk dialect only). An MCP server or a host function lists its tools at run time. */
interface ToolsetNode extends AnyToolNode, CopiedToolFields<ParsedToolset, "service" | "mcp"> {
  readonly service: string
  readonly mcp: McpConnection | null
}

interface HttpToolNode
  extends AnyToolNode, CopiedToolFields<ParsedHttpTool, "endpoint" | "activity"> {
  readonly endpoint: HttpEndpoint
  readonly activity: Activity
}

interface AgentToolNode
  extends AnyToolNode, CopiedToolFields<ParsedAgentTool, "target" | "inline" | "activity"> {
  readonly target: AgentNode
  readonly activity: Activity
}
