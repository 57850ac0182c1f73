// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

import type { BudgetFields } from "../../machines/contract/budget.js"
import type { RemoteA2AAgentFields, WorkflowAgentFields } from "./call-fields.js"
import type {
  ActivityConfig,
  CompactionConfig,
  ForEachConfig,
  GuardrailsConfig,
  HttpConfig,
  ModelActivityConfig,
  ModelFallbackConfig,
  ModelRouteConfig,
  SubAgentReference,
} from "./setting-fields.js"

/** The config fields of an LlmAgent. */
export interface LlmAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** URL and method of the agent's service. */
  readonly httpConfig?: HttpConfig
  /**
   * Name of a model that is registered with the runner. The model is called if there is no
   * `httpConfig`.
   */
  readonly model?: string
  /**
   * The system message. With `httpConfig`, the text is sent unchanged. Without it, the text is a
   * template: `{key}` is filled from the state.
   */
  readonly instructions?: string
  /**
   * Only without `httpConfig`: whether the model receives the session state in its system message.
   * With `false`, the instructions are sent unchanged. Default: `true`.
   */
  readonly stateInPrompt?: boolean
  /** Ids of the tools that the agent can call. */
  readonly tools?: readonly string[]
  /** State key in which the final text of a turn is saved. */
  readonly outputKey?: string
  /** Timeouts and retries of the model calls. Default: one attempt. */
  readonly activityConfig?: ModelActivityConfig
  /**
   * The models that conditions choose instead of the agent's own model: objects with `when`, and
   * `model` or `httpConfig`. The first true condition applies.
   */
  readonly routes?: readonly ModelRouteConfig[]
  /**
   * The models that are called in this order if all attempts of the agent's own model have failed:
   * names of models, or objects with `model` or `httpConfig`, and `on`. An agent with `httpConfig`
   * needs fallbacks with `httpConfig`.
   */
  readonly fallback?: readonly (string | ModelFallbackConfig)[]
  /**
   * Time for which responses are cached, such as `"1h"`. A model call with an equal request
   * receives the cached response. Default: the responses are not cached.
   */
  readonly cache?: string
  /** The agents to which this agent can hand over: agent definitions of any type. */
  readonly subAgents?: readonly GraphComposeAgent[]
  /** Prevents handoffs to the parent. Default: `false`. */
  readonly disallowTransferToParent?: boolean
  /** Prevents handoffs to the other sub-agents of the parent. Default: `false`. */
  readonly disallowTransferToPeers?: boolean
  /** A duration after which approval and input requests of the agent expire. Default: never. */
  readonly expiresIn?: string
  /**
   * What happens when a request of the agent expires: `"reject"`, `"fail"` or `"continue"`.
   * Default: depends on the kind of request.
   */
  readonly onExpiry?: "reject" | "fail" | "continue"
  /**
   * Maximum duration of a turn, including tools, retries and waiting for people. A longer turn
   * fails with `deadline_passed`.
   */
  readonly maxDuration?: string
  /** Maximum tokens, cost or time of the model calls in all turns of the agent. */
  readonly budget?: BudgetFields
  /** Replaces old messages with a summary in long conversations. */
  readonly compaction?: CompactionConfig
  /** Checks of the agent's input and of its final texts. */
  readonly guardrails?: GuardrailsConfig
}

/** The config fields of a SequentialAgent. */
export interface SequentialAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** The agents that the container runs. */
  readonly subAgents: readonly SubAgentReference[]
  /**
   * State key in which the text of the last sub-agent is saved. A ParallelAgent cannot have one.
   */
  readonly outputKey?: string
}

/** The config fields of a ParallelAgent. */
export interface ParallelAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** The agents that the container runs. */
  readonly subAgents: readonly SubAgentReference[]
  /**
   * The effect of a failed branch. `"fail-fast"` cancels the other branches, and the run fails.
   * `"collect"` saves the failure under `branch_errors`, and the run continues. `"wait-all"` waits
   * for the other branches, and then the run fails. Default: `"fail-fast"`.
   */
  readonly failurePolicy?: "fail-fast" | "collect" | "wait-all"
  /** Maximum number of branches that run at the same time. Default: all. */
  readonly maxConcurrency?: number
  /** Runs the only sub-agent once for each item of a list. */
  readonly forEach?: ForEachConfig
  /**
   * When the block is finished. `"all"`: all branches have ended. `"first-success"`: one branch has
   * succeeded. `{"quorum": n}`: `n` branches have succeeded. Default: `"all"`.
   */
  readonly completion?: "all" | "first-success" | { readonly quorum: number }
  /**
   * The effect of a sub-agent that ends with `escalate`. `"finish"`: the other branches finish.
   * `"cancel"`: the other branches are cancelled and dropped, and the block ends. An agent deeper
   * inside a branch never cancels the other branches. Default: `"finish"`.
   */
  readonly onEscalate?: "finish" | "cancel"
}

/** The config fields of a LoopAgent. */
export interface LoopAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** The agents that the container runs. */
  readonly subAgents: readonly SubAgentReference[]
  /** Maximum iterations, 1 or greater. */
  readonly maxAgentLoopIterations: number
  /** A condition that is checked after each complete iteration. If it is true, the loop ends. */
  readonly loopExitCondition?: string
  /**
   * State key in which the text of the last sub-agent is saved. A ParallelAgent cannot have one.
   */
  readonly outputKey?: string
}

/** The config fields of a HumanAgent. */
export interface HumanAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** The question. A template: `{key}` inserts a value of the session state. */
  readonly prompt?: string
  /**
   * The allowed answers: different texts, numbers or booleans. Without this field, every answer is
   * allowed.
   */
  readonly choices?: readonly (string | number | boolean)[]
  /** State keys whose values are shown to the person, next to the question. */
  readonly show?: readonly string[]
  /** State key in which the answer is saved: the choice, or the answer as text or data. */
  readonly outputKey?: string
  /** A duration after which the request expires. Default: never. */
  readonly expiresIn?: string
  /**
   * What happens when a request of the agent expires: `"reject"`, `"fail"` or `"continue"`.
   * Default: `"fail"`.
   */
  readonly onExpiry?: "reject" | "fail" | "continue"
}

/** The config fields of a WaitAgent. */
export interface WaitAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /** The duration of the wait, such as `"24h"`. */
  readonly duration?: string
  /**
   * The time at which the wait ends, as an ISO time with a time zone such as
   * `2026-11-23T08:00:00Z`, or as milliseconds since the epoch. A template: `{key}` inserts a value
   * of the session state. A time in the past ends the wait at once.
   */
  readonly until?: string
}

/** The config fields of an HttpTool. */
export interface HttpToolFields {
  /** The id of the tool. */
  readonly id: string
  /**
   * State key in which the result is saved: the whole response of an HttpTool, or the text of the
   * target of an AgentTool.
   */
  readonly outputKey?: string
  /** Timeouts and retries of the calls. Default: one attempt. */
  readonly activityConfig?: ActivityConfig
  /** URL and method of the tool. */
  readonly httpConfig: HttpConfig
  /** The description of the tool that models receive. Default: its id. */
  readonly description?: string
  /** JSON schema of the arguments. Default: an empty object schema. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /**
   * A duration after which a long-running call, a consent request or a confirmation request
   * expires. Default: never.
   */
  readonly expiresIn?: string
  /**
   * What happens when the request expires: `"reject"` or `"fail"`. `"continue"` means the same as
   * `"reject"`. Default: `"reject"`.
   */
  readonly onExpiry?: "reject" | "fail" | "continue"
}

/** The config fields of an AgentTool. */
export interface AgentToolFields {
  /** The id of the tool. */
  readonly id: string
  /**
   * State key in which the result is saved: the whole response of an HttpTool, or the text of the
   * target of an AgentTool.
   */
  readonly outputKey?: string
  /** Timeouts and retries of the calls. Default: one attempt. */
  readonly activityConfig?: ActivityConfig
  /**
   * The agent that the tool runs. The agent works on a copy of the state and has its own
   * conversation.
   */
  readonly targetAgentId: string
  /**
   * If `true`, the final text of the called agent becomes the final text of the calling agent.
   * Default: `false`.
   */
  readonly skipSummarization?: boolean
}

/** The config fields of each agent type, by the name of the type. */
export interface AgentFields {
  readonly LlmAgent: LlmAgentFields
  readonly SequentialAgent: SequentialAgentFields
  readonly ParallelAgent: ParallelAgentFields
  readonly LoopAgent: LoopAgentFields
  readonly HumanAgent: HumanAgentFields
  readonly WaitAgent: WaitAgentFields
  readonly WorkflowAgent: WorkflowAgentFields
  readonly RemoteA2AAgent: RemoteA2AAgentFields
}

/** The config fields of each tool type, by the name of the type. */
export interface ToolFields {
  readonly HttpTool: HttpToolFields
  readonly AgentTool: AgentToolFields
}

type Typed<Fields> = {
  readonly [Type in keyof Fields]: { readonly type: Type } & Fields[Type]
}[keyof Fields]

/** The config of an agent in the format of Graph Compose. */
export type GraphComposeAgent = Typed<AgentFields>

/** The config of a tool in the format of Graph Compose. */
export type GraphComposeTool = Typed<ToolFields>
