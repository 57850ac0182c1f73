import type { AdkDefinition, Hooks } from "../../machines/contract/agent-definition.js"
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
  ParsedParallelAgent,
  ParsedSequentialAgent,
  ParsedToolset,
} from "../1-parse/config/agent-config.js"
import type { SettingValues } from "../1-parse/config/workflow-config.js"

/**
 * A workflow whose references are resolved: the input of the analysis and of the emitter. Agents
 * are shared where the config refers to one twice, so this is a graph without cycles. The chart
 * has a state for every position.
 */
export interface WorkflowTree {
  /** Id of the root agent, or of the `adk` node around the config. */
  readonly id: string
  readonly dialect: Dialect
  /** The description of the workflow, or else of its root agent. */
  readonly description: string | null
  readonly root: AgentNode
  /** All agents by id, including nested and unreachable agents. */
  readonly agents: ReadonlyMap<string, AgentNode>
  readonly tools: ReadonlyMap<string, ToolNode>
  /** Names of plugins that are registered with the runner (adk). */
  readonly plugins: ReadonlySet<string>
  readonly settings: SettingValues
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** The `context` of templates: that of the graph around the workflow, or else its own. */
  readonly context: JsonObject
  /** Schemas that the config names and that the compiler does not have. */
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
  | JoinGraphNode

/** Returns the agents that an agent runs or hands off to, without the targets of its tools. */
export const subAgentsOf = (agent: AgentNode): readonly AgentNode[] =>
  "subAgents" in agent
    ? agent.subAgents.map((entry) => ("agent" in entry ? entry.agent : entry))
    : []

interface AnyAgentNode {
  readonly id: string
  readonly description: string | null
  /** JSON pointer to the agent in the config. */
  readonly pointer: string
}

/** Fields of a config that only the parser needs, or that nodes have in another form. */
export type ParserField =
  | "at"
  | "fieldAt"
  | "dialect"
  | "agentClass"
  | "when"
  | "id"
  | "description"
  | "subAgents"
  | keyof Hooks

/** The fields that a node takes over from its config without changes. */
export type KeptFields<Config, Replaced extends string = never> = Omit<
  Config,
  ParserField | Replaced
>

/** An agent with callbacks around its turn. */
interface WithCallbacks {
  /** The callbacks of the plugins, then those of the agent; null if there are none. */
  readonly hooks: Pick<Hooks, "beforeAgent" | "afterAgent"> | null
}

/** Fields of an LlmAgent that its node has in `adk` or in another form. */
export type ReplacedLlmField = keyof AdkDefinition | "modelCode" | "activity" | "tools"

export interface LlmAgentNode extends AnyAgentNode, KeptFields<ParsedLlmAgent, ReplacedLlmField> {
  readonly activity: Activity
  /** Ids of its tools in `Workflow.tools`. */
  readonly tools: readonly string[]
  /** The agents that it can hand off to. Empty if it is not a team. */
  readonly subAgents: readonly AgentNode[]
  /** The fields that only ADK has; null in the graph-compose dialect. */
  readonly adk: AdkDefinition | null
}

/** Whether the agent has an output schema. Such an agent never transfers the conversation (docs/semantics.md#handoffs). */
export const hasOutputSchema = ({ adk }: LlmAgentNode): boolean =>
  adk !== null && adk.outputSchema !== null

export interface HumanAgentNode extends AnyAgentNode, KeptFields<ParsedHumanAgent> {}

/** A host function as an agent (adk). It decides which of its sub-agents run. */
export interface CustomAgentNode extends AnyAgentNode, WithCallbacks {
  readonly type: "CustomAgent"
  readonly service: string
  /** The other fields of its class, which the service receives. */
  readonly fields: JsonObject | null
  readonly subAgents: readonly AgentNode[]
}

/** A position in a container: the agent, and the condition under which it runs. */
export interface Position {
  readonly agent: AgentNode
  readonly when: string | null
  readonly pointer: string
}

interface ContainerNode extends AnyAgentNode, WithCallbacks {
  readonly subAgents: readonly Position[]
}

export interface SequentialAgentNode extends ContainerNode, KeptFields<ParsedSequentialAgent> {}

export interface ParallelAgentNode
  extends ContainerNode, KeptFields<ParsedParallelAgent, "outputKey"> {}

export interface LoopAgentNode extends ContainerNode, KeptFields<ParsedLoopAgent> {}

/** A graph of nodes, which run in the order of its edges (adk). */
export interface WorkflowGraphNode extends AnyAgentNode, WithCallbacks {
  readonly type: "Workflow"
  /** Its nodes, each once. */
  readonly subAgents: readonly AgentNode[]
  readonly edges: readonly GraphEdge[]
  /** Maximum runs of each node. */
  readonly maxIterations: number
}

/** An edge between two nodes, by their indexes. `from` is -1 for the start of the graph. */
export interface GraphEdge {
  readonly from: number
  readonly to: number
  /** The route on which the edge is followed. Null: see `otherwise`. */
  readonly route: string | null
  /** Whether the edge is followed if no other route matches. If false without a route, always. */
  readonly otherwise: boolean
}

/** A host function as a node of a graph. It returns the output of the node, or the route. */
export interface CodeNode extends AnyAgentNode {
  readonly type: "FunctionNode" | "RouterNode"
  readonly service: string
}

/** A node that calls the function of a FunctionTool. */
export interface FunctionToolNode
  extends
    AnyAgentNode,
    Pick<ParsedFunctionTool, "parameters" | "requireConfirmation" | "expiresInMs" | "onExpiry"> {
  readonly type: "ToolNode"
  readonly service: string
  /** Id of the tool. */
  readonly tool: string
}

/** A node that collects the outputs of the nodes before it, by their names. */
export interface JoinGraphNode extends AnyAgentNode {
  readonly type: "JoinNode"
}

interface AnyToolNode {
  readonly id: string
  readonly pointer: string
}

type KeptToolFields<Config, Replaced extends string = never> = Omit<
  Config,
  "at" | "fieldAt" | "id" | Replaced
>

export type ToolNode =
  | ExitLoopToolNode
  | HostFunctionToolNode
  | ToolsetNode
  | HttpToolNode
  | AgentToolNode

/** The built-in tool `exit_loop` of ADK. After its call, the model is not called again. */
interface ExitLoopToolNode extends AnyToolNode {
  readonly type: "ExitLoopTool"
}

/** A host function as a tool (adk). */
interface HostFunctionToolNode
  extends AnyToolNode, KeptToolFields<ParsedFunctionTool, "service" | "atAgent"> {
  readonly service: string
}

/** Tools that a host function lists at run time (adk). */
interface ToolsetNode extends AnyToolNode, KeptToolFields<ParsedToolset, "service" | "mcp"> {
  readonly service: string
  readonly mcp: McpConnection | null
}

interface HttpToolNode
  extends AnyToolNode, KeptToolFields<ParsedHttpTool, "endpoint" | "activity"> {
  readonly endpoint: HttpEndpoint
  readonly activity: Activity
}

interface AgentToolNode
  extends AnyToolNode, KeptToolFields<ParsedAgentTool, "target" | "inline" | "activity"> {
  readonly target: AgentNode
  readonly activity: Activity
}
