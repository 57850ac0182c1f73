import type { BudgetFields } from "../../machines/contract/budget.js"

/** What an GraphComposeAgent of Graph Compose is made of, as its users write it (docs/config.md has each field). */
export interface HttpConfig {
  readonly url: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Durations are texts such as `30s` or `5 minutes`. */
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

/** A position of a container. */
export interface SubAgentReference {
  readonly agentId: string
  /** Skips the position where it does not hold. */
  readonly when?: string
}

interface AnyAgentFields {
  readonly id: string
  /** What agents that may hand over to this one are told of it. */
  readonly description?: string
}

export interface LlmAgentFields extends AnyAgentFields {
  /** Where the agent is served; `model` in its place names a model of the runner. */
  readonly httpConfig?: HttpConfig
  readonly model?: string
  readonly instructions?: string
  /** Ids of tools. */
  readonly tools?: readonly string[]
  readonly outputKey?: string
  readonly activityConfig?: ActivityConfig
  /** Whom it may hand over to: whole agents, not references. */
  readonly subAgents?: readonly GraphComposeAgent[]
  readonly disallowTransferToParent?: boolean
  readonly disallowTransferToPeers?: boolean
  readonly expiresIn?: string
  /** What all of its turns together may use. */
  readonly budget?: BudgetFields
  /** How long a turn may take, `10m`. */
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
}

export interface LoopAgentFields extends SequentialAgentFields {
  readonly maxAgentLoopIterations: number
  /** A Python expression over `session_state` (docs/conditions.md). */
  readonly loopExitCondition?: string
}

export interface HumanAgentFields extends AnyAgentFields {
  readonly prompt?: string
  readonly outputKey?: string
  readonly expiresIn?: string
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

/** What agents and tools are made of, by type. */
export interface AgentFields {
  readonly LlmAgent: LlmAgentFields
  readonly SequentialAgent: SequentialAgentFields
  readonly ParallelAgent: ParallelAgentFields
  readonly LoopAgent: LoopAgentFields
  readonly HumanAgent: HumanAgentFields
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

/** A workflow as `graph.toConfig()` gives it and `compile` reads it. */
export interface GraphComposeWorkflow {
  readonly rootAgentId: string
  readonly agents: readonly GraphComposeAgent[]
  readonly globalTools?: readonly GraphComposeTool[]
  readonly maxOrchestrationCycles?: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly initialUserInput?: string
}
