import type { JsonObject } from "../data/json-object.js"
import type { Activity, OnExpiry } from "./activity.js"
import type { Budget, CallerLimits } from "./budget.js"
import type { HookUse } from "./hook-use.js"
import type { AnswerChoice } from "./pending-request.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"

/** The settings of an agent that are needed at run time. */
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
      /** Ids of the agent's toolsets in `tools` of the chart; absent if it has none. */
      readonly toolsets?: readonly string[]
      /** Declarations of all tools that the model receives, including `transfer_to_agent`. */
      readonly declarations: readonly ToolDeclaration[]
      /** Ids of the agents to which this agent can hand off. */
      readonly transferTargets: readonly string[]
      /**
       * Text for the system message that describes the transfer targets; null if there are none.
       */
      readonly handoffText: string | null
      readonly activity: Activity
      /** The fields that only exist in the adk dialect; absent in graph-compose. */
      readonly adk?: AdkDefinition
      /**
       * Only in the graph-compose dialect, for an agent without an endpoint. Absent in charts of
       * earlier versions.
       */
      readonly byName?: ModelByName
      /** Maximum duration of a turn, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
      /** Limit for the model calls of this agent, counted over all of its turns. */
      readonly budget?: Budget
      /**
       * Time until the agent's requests for approval and input expire, in milliseconds; null: they
       * never expire.
       */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "HumanAgent"
      readonly description: string | null
      /** The question, as a template over the session state. */
      readonly prompt: string | null
      /** The allowed answers; absent: every answer is allowed. */
      readonly choices?: readonly AnswerChoice[]
      /** The state keys whose values the request contains. */
      readonly show?: readonly string[]
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "WorkflowAgent"
      readonly description: string | null
      /**
       * Key of the workflow in `workflows` of the runner, or in `workflows` of the chart if the
       * chart contains it.
       */
      readonly workflow: string
      /** The message for the child run, as a template over the session state. */
      readonly prompt: string | null
      /** State keys of this run, by the keys of the child run that receive their values. */
      readonly input?: Readonly<Record<string, string>>
      /** Whether `outputKey` receives the final text or the state of the child run. */
      readonly output: "text" | "state"
      readonly outputKey: string | null
      readonly limits?: CallerLimits
      /** Maximum duration of the child run, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
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
  /**
   * Text that is sent unchanged as the system message. The instruction is then sent in the user
   * message.
   */
  readonly staticInstruction: string | null
  /** Template of the root agent that precedes the instruction of every agent. */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /** JSON schema of the agent's final text. The text is parsed, validated and saved as a value. */
  readonly outputSchema: JsonObject | null
  /** JSON schema of the arguments if the agent is called as an AgentTool. */
  readonly inputSchema: JsonObject | null
  /**
   * Whether an output schema is allowed together with tools. If the final text is invalid, the
   * model is asked once to correct it.
   */
  readonly structuredOutputWithTools: boolean
  readonly generateContentConfig: JsonObject | null
  /**
   * Name of the host function that returns the instruction. The returned text is not a template.
   */
  readonly instructionService?: string
  /**
   * Name of the host function that returns the global instruction. The returned text is not a
   * template.
   */
  readonly globalInstructionService?: string
  /** Callbacks by hook, those of plugins first. Absent if there are none. */
  readonly hooks?: Hooks
  /** Names of the policy engines. Each is called once for every tool call. */
  readonly policies?: readonly string[]
}

/**
 * Names of callback services by hook, in call order. The first callback that returns a result ends
 * the list (docs/semantics.md#callbacks).
 */
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
