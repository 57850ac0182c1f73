// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { BudgetFields } from "../../machines/contract/budget.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { ActivityConfig, CompactionConfig, ForEachConfig } from "./setting-fields.js"

/** The options of the class LlmAgent that are copied to its config. */
export interface LlmAgentData {
  /**
   * A fixed instruction, which is sent unchanged in the system message. The text of `instruction`
   * is then inserted as a user message before the last messages of the user.
   */
  readonly staticInstruction?: string
  /**
   * With `"none"`, the agent only receives the messages of the current turn, not the history.
   * Default: `"default"`.
   */
  readonly includeContents?: "default" | "none"
  /** State key in which the final text of a turn is saved. */
  readonly outputKey?: string
  /**
   * Allows `outputSchema` together with tools or sub-agents. If a response does not match the
   * schema, the model can correct it once. Default: `false`.
   */
  readonly structuredOutputWithTools?: boolean
  /**
   * Model settings that are sent to the model unchanged. Do not set `tools`, `systemInstruction`
   * and `responseSchema` here. Use the corresponding fields of the agent instead.
   */
  readonly generateContentConfig?: JsonObject
  /**
   * Time for which responses are cached, such as `"1h"`. A model call with an equal request
   * receives the cached response. Default: the responses are not cached.
   */
  readonly cache?: string
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
}

/** The names of the options in LlmAgentData. */
export const llmAgentData = [
  "staticInstruction",
  "includeContents",
  "outputKey",
  "structuredOutputWithTools",
  "generateContentConfig",
  "cache",
  "disallowTransferToParent",
  "disallowTransferToPeers",
  "expiresIn",
  "onExpiry",
  "maxDuration",
  "budget",
  "compaction",
] as const satisfies readonly (keyof LlmAgentData)[]

/** The options of the class ParallelAgent that are copied to its config. */
export interface ParallelAgentData {
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

/** The names of the options in ParallelAgentData. */
export const parallelAgentData = [
  "failurePolicy",
  "maxConcurrency",
  "forEach",
  "completion",
  "onEscalate",
] as const satisfies readonly (keyof ParallelAgentData)[]

/** The options of the class HumanAgent that are copied to its config. */
export interface HumanAgentData {
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

/** The names of the options in HumanAgentData. */
export const humanAgentData = [
  "prompt",
  "choices",
  "show",
  "outputKey",
  "expiresIn",
  "onExpiry",
] as const satisfies readonly (keyof HumanAgentData)[]

/** The options of the class WaitAgent that are copied to its config. */
export interface WaitAgentData {
  /** The duration of the wait, such as `"24h"`. */
  readonly duration?: string
  /**
   * The time at which the wait ends, as an ISO time with a time zone such as
   * `2026-11-23T08:00:00Z`, or as milliseconds since the epoch. A template: `{key}` inserts a value
   * of the session state. A time in the past ends the wait at once.
   */
  readonly until?: string
}

/** The names of the options in WaitAgentData. */
export const waitAgentData = [
  "duration",
  "until",
] as const satisfies readonly (keyof WaitAgentData)[]

/** The options of the class WorkflowAgent that are copied to its config. */
export interface WorkflowAgentData {
  /**
   * Name of the workflow, which the runner registers under `workflows`. A program can also pass a
   * compiled chart.
   */
  readonly workflow?: string | AgentChart
  /**
   * The message that starts the child run. A template: `{key}` inserts a value of the session
   * state. Default: the last user message.
   */
  readonly prompt?: string
  /**
   * The initial state of the child run. A list of state keys copies these keys. An object such as
   * `{"topic": "subject"}` sets `topic` of the child run to the value of the state key `subject`. A
   * graph receives the object as its `context`.
   */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  /** State key in which the result of the child run is saved. */
  readonly outputKey?: string
  /**
   * The result that is saved under `outputKey`. `"text"`: the final text of the child run.
   * `"state"`: its whole state as an object. Default: `"text"`.
   */
  readonly output?: "text" | "state"
  /**
   * Maximum number of model calls of the child run. If the called workflow has a lower maximum, the
   * lower one applies. Default: that of the workflow.
   */
  readonly maxModelCalls?: number
  /**
   * Maximum duration of the child run, including the time that people take to answer. A longer
   * child run is cancelled, and the agent fails with `deadline_passed`.
   */
  readonly maxDuration?: string
  /** Maximum tokens, cost or time of the model calls of the child run. */
  readonly budget?: BudgetFields
}

/** The names of the options in WorkflowAgentData. */
export const workflowAgentData = [
  "workflow",
  "prompt",
  "input",
  "outputKey",
  "output",
  "maxModelCalls",
  "maxDuration",
  "budget",
] as const satisfies readonly (keyof WorkflowAgentData)[]

/** The options of the class RemoteA2AAgent that are copied to its config. */
export interface RemoteA2AAgentData {
  /**
   * URL of the agent card. If the path does not end with `.json`, `/.well-known/agent-card.json` is
   * added. The URL can contain templates.
   */
  readonly agentCard: string
  /**
   * URL of the agent. Required if the agent card names a URL on another host, because headers are
   * only sent to hosts that the config names. Default: the URL in the agent card.
   */
  readonly url?: string
  /**
   * Headers of all requests, such as `authorization`. The values can contain templates and secrets.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /**
   * The message to the agent. A template: `{key}` inserts a value of the session state. Default:
   * the last user message.
   */
  readonly prompt?: string
  /**
   * State keys that are sent with the message as structured data: a list, or an object with a state
   * key for each field.
   */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  /** State key in which the result of the agent is saved. */
  readonly outputKey?: string
  /**
   * The result that is saved under `outputKey`. `"text"`: the text of the artifacts. `"data"`:
   * their structured data. `"artifacts"`: the list of artifacts. Default: `"text"`.
   */
  readonly output?: "text" | "data" | "artifacts"
  /**
   * Timeouts and retries. `startToCloseTimeout` limits each HTTP request, but not the duration of
   * the task. Default: one attempt.
   */
  readonly activityConfig?: ActivityConfig
  /**
   * Maximum duration of the task, including the time that people take to answer. A longer task is
   * cancelled, and the agent fails with `deadline_passed`.
   */
  readonly maxDuration?: string
}

/** The names of the options in RemoteA2AAgentData. */
export const remoteA2AAgentData = [
  "agentCard",
  "url",
  "headers",
  "prompt",
  "input",
  "outputKey",
  "output",
  "activityConfig",
  "maxDuration",
] as const satisfies readonly (keyof RemoteA2AAgentData)[]
