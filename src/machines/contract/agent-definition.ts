import type { JsonObject } from "../data/json-object.js"
import type { Activity, ModelFallback, ModelRoute, OnExpiry } from "./activity.js"
import type { Budget, CallerLimits } from "./budget.js"
import type { Compaction } from "./compaction.js"
import type { Guardrails } from "./guardrails/guardrails.js"
import type { HookUse } from "./hook-use.js"
import type { AnswerChoice } from "./pending-request.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"

/**
 * The settings of one agent in a chart, which the runtime reads when it executes the agent. The
 * `type` of the agent determines the other fields.
 */
export type AgentDefinition =
  | {
      readonly type: "LlmAgent"
      readonly description: string | null
      readonly model: string | null
      readonly endpoint: HttpEndpoint | null
      readonly instructions: string | null
      readonly outputKey: string | null
      /** Ids of the tools that the agent's model can call. */
      readonly tools: readonly string[]
      /**
       * Ids of the agent's toolsets, which list their tools at run time. The ids are keys in
       * `tools` of the chart. Absent if the agent has no toolsets.
       */
      readonly toolsets?: readonly string[]
      /**
       * Tool declarations that the model receives. They include `transfer_to_agent` if the agent
       * can hand off.
       */
      readonly declarations: readonly ToolDeclaration[]
      /** Ids of the agents to which this agent can hand off. */
      readonly transferTargets: readonly string[]
      /**
       * Text in the system message that describes the agents to which this agent can hand off. null
       * if there are no such agents.
       */
      readonly handoffText: string | null
      readonly activity: Activity
      /**
       * Models that are called in this order if the agent's own model fails. If absent, the agent
       * fails.
       */
      readonly fallback?: readonly ModelFallback[]
      /**
       * Models that are called instead of the agent's own model if a condition is true. The first
       * route with a true condition is used. Absent if the agent has no routes.
       */
      readonly routes?: readonly ModelRoute[]
      /**
       * Time for which the model's responses are cached, in milliseconds. If absent, they are not
       * cached.
       */
      readonly cacheMs?: number
      /** Settings that exist only in the adk dialect. Absent in the graph-compose dialect. */
      readonly adk?: AdkDefinition
      /**
       * Settings for a model that is registered by name, such as the form in which it receives the
       * session state. Set only in the graph-compose dialect, for agents without an endpoint.
       * Absent in charts of earlier versions.
       */
      readonly byName?: ModelByName
      /**
       * Maximum duration of a turn of this agent, in milliseconds. If absent, there is no limit.
       */
      readonly maxDurationMs?: number
      /** Budget for all model calls of this agent, in all of its turns together. */
      readonly budget?: Budget
      /**
       * Name of the host function that searches the user's earlier sessions and returns memories as
       * a text. It is called before the first model call of each turn. Absent if the agent does not
       * use memories.
       */
      readonly memoryService?: string
      /**
       * Settings for summaries that replace old messages of the agent's conversation. Absent if
       * nothing is summarized.
       */
      readonly compaction?: Compaction
      /**
       * Id of the agent whose conversation this agent summarizes. Absent if this agent is not a
       * summarizer.
       */
      readonly summarizes?: string
      /** Guardrails that check the agent's input and its final texts. Absent if there are none. */
      readonly guardrails?: Guardrails
      /**
       * Set if a guardrail uses this agent's model to check texts of another agent. Contains the id
       * of the checked agent.
       */
      readonly checks?: string
      /**
       * Time until the agent's requests for approval and input expire, in milliseconds. If null,
       * they never expire.
       */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "HumanAgent"
      readonly description: string | null
      /**
       * The question for the person. Placeholders such as `{key}` are replaced with values of the
       * session state.
       */
      readonly prompt: string | null
      /** The allowed answers. If absent, every answer is allowed. */
      readonly choices?: readonly AnswerChoice[]
      /** Keys of the session state whose values are displayed with the question. */
      readonly show?: readonly string[]
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "WaitAgent"
      readonly description: string | null
      /** Time for which the agent waits, in milliseconds. Absent if `until` is set. */
      readonly durationMs?: number
      /**
       * The time at which the wait ends, as an ISO time or in milliseconds since the epoch.
       * Placeholders such as `{key}` are replaced with values of the session state. Absent if
       * `durationMs` is set.
       */
      readonly until?: string
      readonly outputKey: null
    }
  | {
      readonly type: "WorkflowAgent"
      readonly description: string | null
      /**
       * Key of the called workflow in `workflows` of the chart. If the chart has no such key, it is
       * the name of a workflow that is registered with the runner.
       */
      readonly workflow: string
      /**
       * The user message of the child run. Placeholders such as `{key}` are replaced with values of
       * the session state. If null, the message is the last user message that the agent sees.
       */
      readonly prompt: string | null
      /**
       * Initial state of the child run. The keys are state keys of the child run, and the values
       * are the state keys of this run from which their values are copied.
       */
      readonly input?: Readonly<Record<string, string>>
      /**
       * The part of the result that is written to `outputKey`. `text` is the final text, and
       * `state` is the final state of the child run. `data` and `artifacts` are the structured data
       * and the artifacts of a remote agent.
       */
      readonly output: "text" | "state" | "data" | "artifacts"
      readonly outputKey: string | null
      readonly limits?: CallerLimits
      /** Maximum duration of the child run, in milliseconds. If absent, there is no limit. */
      readonly maxDurationMs?: number
      /**
       * Set for a RemoteA2AAgent, which starts a task on another server instead of a child run.
       * `workflow` is then the URL of its agent card.
       */
      readonly remote?: RemoteAgentDefinition
    }

/**
 * URLs and headers of a remote agent. The strings can contain `{{ JSONata }}` templates, which are
 * filled when a request is sent.
 */
export interface RemoteEndpoint {
  /**
   * URL of the agent card, or of the server that provides the agent card under its well-known path.
   */
  readonly agentCard: string
  /** URL of the agent. If absent, the URL in the agent card is used. */
  readonly url?: string
  readonly headers?: HttpEndpoint["headers"]
}

/**
 * Settings of an agent on another server, which is called with the A2A protocol
 * (docs/semantics.md#remote-agents).
 */
export interface RemoteAgentDefinition extends RemoteEndpoint {
  /**
   * Timeout of each HTTP request to the server, and settings for retries after a failed call of the
   * agent.
   */
  readonly activity: Activity
}

/**
 * Settings for a model that is registered by name. Such a model receives only messages and tools.
 * It cannot send signals such as `exitFlow` (docs/semantics.md#models-by-name).
 */
export interface ModelByName {
  /**
   * How the model receives the session state. `filled`: placeholders in the instructions are
   * replaced with state values. `appended`: the state is added to the instructions as JSON.
   * `hidden`: the instructions are sent unchanged, and no state is added.
   */
  readonly state: "filled" | "appended" | "hidden"
  /**
   * Set for the root agent and its handoff targets. The final response of such an agent ends the
   * run. This does not apply if the model service declares `signals`, so that its responses can
   * contain `exitFlow`.
   */
  readonly endsRun?: true
}

/**
 * Settings of an LlmAgent that exist only in the adk dialect (docs/semantics.md#instructions,
 * docs/semantics.md#callbacks).
 */
export interface AdkDefinition {
  /**
   * Instruction template. It can contain the placeholders `{key}` and `{key?}` for values of the
   * session state, and `{artifact.name}` for artifacts. null if the agent has no instruction.
   */
  readonly instruction: string | null
  /**
   * Text that is sent unchanged in the system message. If it is set, `instruction` is sent as a
   * user message. null if the agent has no static instruction.
   */
  readonly staticInstruction: string | null
  /**
   * Instruction of the root agent that is sent before the instruction of every agent. It can
   * contain the same placeholders as `instruction`. null if there is none.
   */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /**
   * JSON schema of the agent's final text. The text is parsed and validated, and the parsed value
   * is stored under the output key. null if the final text is not validated.
   */
  readonly outputSchema: JsonObject | null
  /**
   * JSON schema of the arguments with which an AgentTool calls the agent. null if the only argument
   * is the text `request`.
   */
  readonly inputSchema: JsonObject | null
  /**
   * Whether the agent can have tools or sub-agents in addition to an output schema. If the final
   * text does not match the schema, the model is asked once to correct it.
   */
  readonly structuredOutputWithTools: boolean
  readonly generateContentConfig: JsonObject | null
  /**
   * Name of the host function that returns the instruction. Placeholders in the returned text are
   * not replaced. Absent if there is no such function.
   */
  readonly instructionService?: string
  /**
   * Name of the host function that returns the global instruction. Placeholders in the returned
   * text are not replaced. Absent if there is no such function.
   */
  readonly globalInstructionService?: string
  /**
   * Callbacks before and after the agent, its model calls and its tool calls. Callbacks of plugins
   * come before those of the agent. Absent if there are none.
   */
  readonly hooks?: Hooks
  /**
   * Names of the policy engines, which are host functions that allow or deny tool calls. Each
   * engine is called once for every tool call.
   */
  readonly policies?: readonly string[]
}

/**
 * Callbacks of an agent, by the time at which they are called. Each list is in call order. If a
 * callback returns a result, the remaining callbacks of the list are not called
 * (docs/semantics.md#callbacks).
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
