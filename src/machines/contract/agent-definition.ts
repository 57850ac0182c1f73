import type { JsonObject } from "../data/json-object.js"
import type { Activity, ModelFallback, ModelRoute, OnExpiry } from "./activity.js"
import type { Budget, CallerLimits } from "./budget.js"
import type { Compaction } from "./compaction.js"
import type { Guardrails } from "./guardrails/guardrails.js"
import type { HookUse } from "./hook-use.js"
import type { AnswerChoice } from "./pending-request.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"

/**
 * The settings of an agent that the runtime needs. Their fields depend on the type of the agent.
 */
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
       * Text of the system message that describes the agents to which this agent can hand off. null
       * if there are none.
       */
      readonly handoffText: string | null
      readonly activity: Activity
      /**
       * The models that are called, in this order, if the agent's own model fails. Absent: none.
       */
      readonly fallback?: readonly ModelFallback[]
      /**
       * The models that are called instead of the agent's own model if a condition is true. The
       * first route whose condition is true applies. Absent: none.
       */
      readonly routes?: readonly ModelRoute[]
      /** Time for which responses are cached, in milliseconds. Absent: they are not cached. */
      readonly cacheMs?: number
      /** Settings that exist only in the adk dialect. Absent in graph-compose. */
      readonly adk?: AdkDefinition
      /**
       * How the agent uses its model. Set in the graph-compose dialect if the agent uses a
       * registered model instead of an endpoint. Absent in charts of earlier versions.
       */
      readonly byName?: ModelByName
      /** Maximum duration of a turn, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
      /** Budget for all model calls of this agent, in all of its turns together. */
      readonly budget?: Budget
      /**
       * Name of the host function that returns the user's memories before each turn. Absent: none.
       */
      readonly memoryService?: string
      /** Set if old messages of the agent's conversation are replaced with summaries. */
      readonly compaction?: Compaction
      /** Id of the agent whose conversation this agent summarizes. Absent for other agents. */
      readonly summarizes?: string
      /** Checks of the agent's input and of its final texts. Absent: there are none. */
      readonly guardrails?: Guardrails
      /** Id of the agent whose texts this agent checks as a guardrail. Absent for other agents. */
      readonly checks?: string
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
      /**
       * The question for the person. Placeholders such as `{key}` are filled from the session
       * state.
       */
      readonly prompt: string | null
      /** The allowed answers. Absent: every answer is allowed. */
      readonly choices?: readonly AnswerChoice[]
      /** Keys of the session state whose values the person sees with the question. */
      readonly show?: readonly string[]
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "WaitAgent"
      readonly description: string | null
      /** Duration of the wait in milliseconds. Absent if `until` is set. */
      readonly durationMs?: number
      /**
       * The time at which the wait ends. Placeholders such as `{key}` are filled from the session
       * state.
       */
      readonly until?: string
      readonly outputKey: null
    }
  | {
      readonly type: "WorkflowAgent"
      readonly description: string | null
      /**
       * Key of the called workflow in `workflows` of the chart. If the chart has no such key, it is
       * the name of a workflow in the runner's `workflows`.
       */
      readonly workflow: string
      /**
       * The user message of the child run. Placeholders such as `{key}` are filled from the session
       * state.
       */
      readonly prompt: string | null
      /**
       * Maps each state key of the child run to the state key of this run from which it gets its
       * initial value.
       */
      readonly input?: Readonly<Record<string, string>>
      /**
       * The part of the result that is written to `outputKey`. `text`: the final text. `state`: the
       * final state of the child run. `data` and `artifacts`: the structured data or the artifacts
       * of a remote agent.
       */
      readonly output: "text" | "state" | "data" | "artifacts"
      readonly outputKey: string | null
      readonly limits?: CallerLimits
      /** Maximum duration of the child run, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
      /**
       * Set for a RemoteA2AAgent. The agent then starts a task on another server instead of a child
       * run, and `workflow` is the URL of its agent card.
       */
      readonly remote?: RemoteAgentDefinition
    }

/**
 * The URLs and headers of a remote agent. The strings can contain templates, like those of an
 * endpoint.
 */
export interface RemoteEndpoint {
  /** URL of the agent card, or of the server that serves it under its well-known path. */
  readonly agentCard: string
  /** URL of the agent. Absent: the agent card contains it. */
  readonly url?: string
  readonly headers?: HttpEndpoint["headers"]
}

/** An agent on another server that speaks A2A (docs/semantics.md#remote-agents). */
export interface RemoteAgentDefinition extends RemoteEndpoint {
  /** Timeout of each HTTP request, and retries of a failed call. */
  readonly activity: Activity
}

/**
 * How an agent uses a model that is registered by name. Such a model receives only the messages,
 * and it cannot send signals such as `exitFlow` (docs/semantics.md#models-by-name).
 */
export interface ModelByName {
  /**
   * How the model receives the session state. `filled`: placeholders in the instructions are
   * replaced with state values. `appended`: the state is added after the instructions as JSON.
   * `hidden`: the model does not receive the state, and the instructions are sent unchanged.
   */
  readonly state: "filled" | "appended" | "hidden"
  /**
   * Set for the root agent and its handoff targets. The final response of a turn then ends the run,
   * unless the model service declares `signals`.
   */
  readonly endsRun?: true
}

/**
 * Settings that only an LlmAgent of the adk dialect has (docs/semantics.md#instructions,
 * docs/semantics.md#callbacks).
 */
export interface AdkDefinition {
  /**
   * Instruction with placeholders for values of the session state: `{key}`, `{key?}` and
   * `{artifact.name}`. null if the agent has no instruction.
   */
  readonly instruction: string | null
  /**
   * Text that is sent unchanged in the system message. If it is set, `instruction` is sent as a
   * user message instead.
   */
  readonly staticInstruction: string | null
  /**
   * Instruction of the root agent that is sent before the instruction of every agent. It can
   * contain the same placeholders as `instruction`.
   */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /**
   * JSON schema of the agent's final text. The text is parsed and validated, and the parsed value
   * is written to the output key.
   */
  readonly outputSchema: JsonObject | null
  /** JSON schema of the arguments with which an AgentTool calls the agent. */
  readonly inputSchema: JsonObject | null
  /**
   * Whether the agent can have both an output schema and tools. If the final text does not match
   * the schema, the model is asked once to correct it.
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
  /**
   * Callbacks by hook. Callbacks of plugins come before those of the agent. Absent if there are
   * none.
   */
  readonly hooks?: Hooks
  /**
   * Names of the policy engines that decide on tool calls. Each engine is called once for every
   * tool call.
   */
  readonly policies?: readonly string[]
}

/**
 * Callbacks by hook, in the order in which they are called. If a callback returns a result, the
 * callbacks after it are not called (docs/semantics.md#callbacks).
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
