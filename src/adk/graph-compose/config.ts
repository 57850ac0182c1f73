import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { BudgetFields } from "../../machines/contract/budget.js"

/** The HTTP endpoint of an agent or a tool (docs/config.md). */
export interface HttpConfig {
  readonly url: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Timeouts and retries of a call. Durations are strings such as `30s` or `5 minutes`. */
export interface ActivityConfig {
  readonly startToCloseTimeout?: string
  readonly scheduleToCloseTimeout?: string
  readonly retryPolicy?: {
    readonly maximumAttempts?: number
    readonly initialInterval?: string
    readonly backoffCoefficient?: number
    readonly maximumInterval?: string
  }
}

/** A reference with which a container runs an agent. */
export interface SubAgentReference {
  readonly agentId: string
  /** Condition for running the agent. If it is false, the agent is skipped. */
  readonly when?: string
}

interface AnyAgentFields {
  readonly id: string
  /** Describes this agent to the agents that can hand off to it. */
  readonly description?: string
}

export interface LlmAgentFields extends AnyAgentFields {
  /**
   * HTTP endpoint that responds for the agent. Alternatively, `model` names a model of the runner.
   */
  readonly httpConfig?: HttpConfig
  readonly model?: string
  readonly instructions?: string
  /** Whether a model by name receives the session state in its system message. Default: true. */
  readonly stateInPrompt?: boolean
  /** Ids of the tools that the agent can call. */
  readonly tools?: readonly string[]
  readonly outputKey?: string
  readonly activityConfig?: ActivityConfig
  /** Agents that this agent can hand off to. These are complete configs, not references. */
  readonly subAgents?: readonly GraphComposeAgent[]
  readonly disallowTransferToParent?: boolean
  readonly disallowTransferToPeers?: boolean
  readonly expiresIn?: string
  /** Limit for the model calls of this agent, counted over all of its turns. */
  readonly budget?: BudgetFields
  /** Maximum duration of one turn, for example `10m`. */
  readonly maxDuration?: string
}

export interface SequentialAgentFields extends AnyAgentFields {
  readonly subAgents: readonly SubAgentReference[]
  readonly outputKey?: string
}

export interface ParallelAgentFields extends AnyAgentFields {
  readonly subAgents: readonly SubAgentReference[]
  readonly failurePolicy?: "fail-fast" | "collect" | "wait-all"
  readonly maxConcurrency?: number
  /** Runs the only sub-agent once for each item of a list. */
  readonly forEach?: {
    /** A Python expression over `session_state` that returns the list of items. */
    readonly items: string
    readonly as?: string
    readonly collect?: Readonly<Record<string, string>>
    readonly maxItems?: number
  }
  readonly completion?: "all" | "first-success" | { readonly quorum: number }
  readonly onEscalate?: "finish" | "cancel"
}

export interface LoopAgentFields extends SequentialAgentFields {
  readonly maxAgentLoopIterations: number
  /** A Python expression over `session_state` (docs/conditions.md). */
  readonly loopExitCondition?: string
}

export interface HumanAgentFields extends AnyAgentFields {
  /** The question. `{key}` inserts a value of the session state. */
  readonly prompt?: string
  /** The allowed answers. */
  readonly choices?: readonly (string | number | boolean)[]
  /** State keys whose values are shown to the person, next to the question. */
  readonly show?: readonly string[]
  readonly outputKey?: string
  readonly expiresIn?: string
}

export interface WorkflowAgentFields extends AnyAgentFields {
  /** Name of a workflow in `workflows` of the runner, or a compiled chart. */
  readonly workflow?: string | AgentChart
  /** Path of the file with the workflow. */
  readonly workflowFile?: string
  /** The message that starts the child run. `{key}` inserts a value of the session state. */
  readonly prompt?: string
  /** The initial state of the child run: state keys, or a state key for each key of the child run. */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  readonly outputKey?: string
  readonly output?: "text" | "state"
  readonly maxModelCalls?: number
  /** Maximum duration of the child run, for example `10m`. */
  readonly maxDuration?: string
  readonly budget?: BudgetFields
}

export interface HttpToolFields {
  readonly id: string
  readonly httpConfig: HttpConfig
  readonly description?: string
  /** JSON schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly outputKey?: string
  readonly activityConfig?: ActivityConfig
  readonly expiresIn?: string
}

export interface AgentToolFields {
  readonly id: string
  readonly targetAgentId: string
  readonly skipSummarization?: boolean
  readonly outputKey?: string
  readonly activityConfig?: ActivityConfig
}

/** The config fields of each agent type, by the name of the type. */
export interface AgentFields {
  readonly LlmAgent: LlmAgentFields
  readonly SequentialAgent: SequentialAgentFields
  readonly ParallelAgent: ParallelAgentFields
  readonly LoopAgent: LoopAgentFields
  readonly HumanAgent: HumanAgentFields
  readonly WorkflowAgent: WorkflowAgentFields
}

export interface ToolFields {
  readonly HttpTool: HttpToolFields
  readonly AgentTool: AgentToolFields
}

type Typed<Fields> = {
  readonly [Type in keyof Fields]: { readonly type: Type } & Fields[Type]
}[keyof Fields]

export type GraphComposeAgent = Typed<AgentFields>

export type GraphComposeTool = Typed<ToolFields>

/** A workflow config, as `graph.toConfig()` returns it and `compile` reads it. */
export interface GraphComposeWorkflow {
  readonly rootAgentId: string
  readonly agents: readonly GraphComposeAgent[]
  readonly globalTools?: readonly GraphComposeTool[]
  readonly maxOrchestrationCycles?: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly initialUserInput?: string
}

/** A workflow config whose type contains the root and the agents of a builder. */
export interface TypedWorkflow<
  Root extends string,
  Agents extends GraphComposeAgent,
> extends GraphComposeWorkflow {
  readonly rootAgentId: Root
  readonly agents: readonly Agents[]
}
