// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

import type { BudgetFields } from "../../machines/contract/budget.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { ForEachConfig } from "./setting-fields.js"

/** The options of the class LlmAgent that are copied to its config. */
export interface LlmAgentData {
  /**
   * Sent unchanged in the system message. The text of `instruction` then starts the user's turn.
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
  /** Prevents handoffs to the parent. Default: `false`. */
  readonly disallowTransferToParent?: boolean
  /** Prevents handoffs to the other sub-agents of the parent. Default: `false`. */
  readonly disallowTransferToPeers?: boolean
  /** A duration after which approval and input requests of the agent expire. Default: never. */
  readonly expiresIn?: string
  /**
   * What happens when a request expires: `"reject"`, `"fail"` or `"continue"`. Default: by kind.
   */
  readonly onExpiry?: "reject" | "fail" | "continue"
  /**
   * Maximum duration of a turn, including tools, retries and waiting for people. A longer turn
   * fails with `deadline_passed`.
   */
  readonly maxDuration?: string
  /** Maximum tokens, cost or time of the model calls in all turns of the agent. */
  readonly budget?: BudgetFields
}

/** The names of these options. */
export const llmAgentData = [
  "staticInstruction",
  "includeContents",
  "outputKey",
  "structuredOutputWithTools",
  "generateContentConfig",
  "disallowTransferToParent",
  "disallowTransferToPeers",
  "expiresIn",
  "onExpiry",
  "maxDuration",
  "budget",
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
   * When the block is finished: `"all"`, `"first-success"` or `{"quorum": n}`. See early
   * completion. Default: `"all"`.
   */
  readonly completion?: "all" | "first-success" | { readonly quorum: number }
  /**
   * The effect of a sub-agent that ends with `escalate`. `"finish"`: the other branches finish.
   * `"cancel"`: the other branches are cancelled and dropped, and the block ends. An agent deeper
   * inside a branch never cancels the other branches. Default: `"finish"`.
   */
  readonly onEscalate?: "finish" | "cancel"
}

/** The names of these options. */
export const parallelAgentData = [
  "failurePolicy",
  "maxConcurrency",
  "forEach",
  "completion",
  "onEscalate",
] as const satisfies readonly (keyof ParallelAgentData)[]
