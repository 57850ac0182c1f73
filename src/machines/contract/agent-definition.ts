import type { JsonObject } from "../data/json-object.js"
import type { Activity, OnExpiry } from "./activity.js"
import type { Budget } from "./budget.js"
import type { HookUse } from "./hook-use.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"

/** The settings of an agent that its calls need. */
export type AgentDefinition =
  | {
      readonly type: "LlmAgent"
      readonly description: string | null
      readonly model: string | null
      readonly endpoint: HttpEndpoint | null
      readonly instructions: string | null
      readonly outputKey: string | null
      /** Ids of the tools that the agent can call. */
      readonly tools: readonly string[]
      /** Ids of its toolsets in `tools` of the chart; absent if there are none. */
      readonly toolsets?: readonly string[]
      /** All tool declarations for the model, including `transfer_to_agent`. */
      readonly declarations: readonly ToolDeclaration[]
      /** Ids of the agents that it can hand off to. */
      readonly transferTargets: readonly string[]
      /** Text about the transfer targets for the system message; null if there are none. */
      readonly handoffText: string | null
      readonly activity: Activity
      /** Only in the adk dialect. */
      readonly adk?: AdkDefinition
      /**
       * Only in the graph-compose dialect, for an agent without an endpoint. Absent in charts of
       * earlier versions.
       */
      readonly byName?: ModelByName
      /** Maximum duration of a turn, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
      /** Budget of the model calls in all of its turns together. */
      readonly budget?: Budget
      /** How long its requests for approval and input stay open, in milliseconds. */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "HumanAgent"
      readonly description: string | null
      readonly prompt: string | null
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }

/**
 * How an agent uses a model that is registered by name. Such a model receives only the messages,
 * and it cannot send signals such as `exitFlow` (docs/semantics.md#models-by-name).
 */
export interface ModelByName {
  /**
   * `filled`: the instructions are a template over the session state. `appended`: the session state
   * follows the instructions as JSON. `hidden`: the instructions are sent unchanged.
   */
  readonly state: "filled" | "appended" | "hidden"
  /**
   * Set for the root and its handoff targets: the final response of a turn ends the run, unless the
   * model service declares `signals`.
   */
  readonly endsRun?: true
}

/**
 * Fields that only an LlmAgent of the adk dialect has (docs/semantics.md#instructions,
 * docs/semantics.md#callbacks).
 */
export interface AdkDefinition {
  /** A template over the session state: `{key}`, `{key?}`, `{artifact.name}`. */
  readonly instruction: string | null
  /** Sent unchanged as the system message. The instruction is then sent in the user message. */
  readonly staticInstruction: string | null
  /** Template of the root agent that precedes the instruction of every agent. */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /** JSON schema of the final text. The text is parsed and saved as a value. */
  readonly outputSchema: JsonObject | null
  /** JSON schema of the arguments if the agent is called as an AgentTool. */
  readonly inputSchema: JsonObject | null
  /**
   * Whether the agent has both tools and a schema. If the final text is invalid, the model is
   * asked once more.
   */
  readonly structuredOutputWithTools: boolean
  readonly generateContentConfig: JsonObject | null
  /** Host function that returns the instruction. The result is not a template. */
  readonly instructionService?: string
  /** Host function that returns the global instruction. The result is not a template. */
  readonly globalInstructionService?: string
  /**
   * Callbacks by hook. Callbacks of plugins come before those of the agent. Absent if there are
   * none.
   */
  readonly hooks?: Hooks
  /** Policy engines. Each one is called once per tool call. */
  readonly policies?: readonly string[]
}

/** Names of services in call order: the first result wins (docs/semantics.md#callbacks). */
export interface Hooks {
  readonly beforeAgent?: readonly HookUse[]
  readonly afterAgent?: readonly HookUse[]
  readonly beforeModel?: readonly HookUse[]
  readonly afterModel?: readonly HookUse[]
  readonly onModelError?: readonly HookUse[]
  readonly beforeTool?: readonly HookUse[]
  readonly afterTool?: readonly HookUse[]
  readonly onToolError?: readonly HookUse[]
}
