import type { FailureClass } from "../../machines/contract/activity.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { Context } from "../context/context.js"
import { ReadonlyContext } from "../context/context.js"
import type { ToolCall, ToolResponse } from "../callbacks/hooks.js"
import type { LlmRequest, LlmResponse } from "../callbacks/llm-request.js"
import type { BaseContextCompactor } from "../callbacks/context-compactor.js"
import type { BaseLlm } from "../models/base-llm.js"
import type { LlmAgentData } from "../common/agent-options.js"
import type { OneOrMore } from "../common/one-or-more.js"
import type { BaseNode } from "../nodes/base-node.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"
import type { SchemaLike } from "../common/schema.js"
import type { BaseAgentConfig } from "./base-agent.js"
import type { AgentGuardrails } from "./guardrail-options.js"

type CallbackResult<Value> = Value | undefined | Promise<Value | undefined>

export type SingleBeforeModelCallback = (call: {
  readonly context: Context
  readonly request: LlmRequest
}) => CallbackResult<LlmResponse>
export type SingleAfterModelCallback = (call: {
  readonly context: Context
  readonly response: LlmResponse
}) => CallbackResult<LlmResponse>
export type SingleOnModelErrorCallback = (call: {
  readonly context: Context
  readonly request: LlmRequest
  readonly error: Error
}) => CallbackResult<LlmResponse>
export type SingleBeforeToolCallback = (call: ToolCall) => CallbackResult<ToolResponse>
export type SingleAfterToolCallback = (
  call: ToolCall & { readonly response: ToolResponse },
) => CallbackResult<ToolResponse>
export type SingleOnToolErrorCallback = (
  call: ToolCall & { readonly error: Error },
) => CallbackResult<ToolResponse>

/**
 * A function that returns the instruction for one turn, for example from the session state.
 * Placeholders in the returned text are not filled.
 */
export type InstructionProvider = (context: ReadonlyContext) => string | Promise<string>

/**
 * The model of an agent: the name of a registered model, a model service, or an instance of
 * `BaseLlm`.
 */
export type AgentModel = string | ModelService | BaseLlm

/** A model that is called if the models before it in the list fail. */
export interface FallbackModel {
  readonly model: AgentModel
  /**
   * Classes of failures for which this model is called, such as `timeout`. Default: all classes
   * except `refused`.
   */
  readonly on?: FailureClass | readonly FailureClass[]
}

/** A model that is called instead of the agent's own model if a condition is true. */
export interface RoutedModel {
  /** A condition that reads the session state, such as `session_state.get('tier') == 'pro'`. */
  readonly when: string
  readonly model: AgentModel
}

/** An entry in the `tools` of an agent: a tool, a toolset, or a node such as a Workflow. */
export type ToolUnion = BaseTool | BaseToolset | BaseNode

export interface LlmAgentConfig extends BaseAgentConfig, LlmAgentData {
  /**
   * The name of a model that is registered with the runner, a model service object, or an instance
   * of `BaseLlm`. Default: the model of the parent agent.
   */
  readonly model?: AgentModel
  /**
   * Fallback models. They are called in this order if all attempts of the agent's own model have
   * failed.
   */
  readonly fallback?: readonly (AgentModel | FallbackModel)[]
  /**
   * Models that are called instead of the agent's own model under a condition. The first route
   * whose condition is true applies.
   */
  readonly routes?: readonly RoutedModel[]
  /** Guardrails that check the agent's input and its final texts. */
  readonly guardrails?: AgentGuardrails
  /**
   * The system prompt. It is a function that returns the text, or a template with the placeholders
   * `{key}`, `{key?}` (the key may be missing) and `{artifact.name}`.
   */
  readonly instruction?: string | InstructionProvider
  /**
   * An additional instruction for all agents of the tree. Only the root agent can have this option.
   */
  readonly globalInstruction?: string | InstructionProvider
  readonly inputSchema?: SchemaLike
  /**
   * Schema of the agent's final text. If it is set, `outputKey` saves the parsed value instead of
   * the text.
   */
  readonly outputSchema?: SchemaLike
  readonly tools?: readonly ToolUnion[]
  /**
   * Behavior of the agent as a node of a Workflow. `single_turn`: the agent answers its input once.
   * `task`: the agent works until it calls the tool `finish_task` with its result, and may ask the
   * user questions before. Default: `single_turn`.
   */
  readonly mode?: "single_turn" | "task"
  /**
   * Compactors that shorten the conversation before a model call. Only the first compactor whose
   * `shouldCompact` returns true runs.
   */
  readonly contextCompactors?: readonly BaseContextCompactor[]
  /** Called before each model call. If it returns a response, the model is not called. */
  readonly beforeModelCallback?: OneOrMore<SingleBeforeModelCallback>
  /**
   * Called after each model call. If it returns a response, that response replaces the model's
   * response.
   */
  readonly afterModelCallback?: OneOrMore<SingleAfterModelCallback>
  /**
   * Called when the last attempt of a model call has failed. If it returns a response, the turn
   * continues with this response.
   */
  readonly onModelErrorCallback?: OneOrMore<SingleOnModelErrorCallback>
  /**
   * Called before each tool call. It can change the arguments. If it returns a response, the tool
   * is not called.
   */
  readonly beforeToolCallback?: OneOrMore<SingleBeforeToolCallback>
  readonly afterToolCallback?: OneOrMore<SingleAfterToolCallback>
  readonly onToolErrorCallback?: OneOrMore<SingleOnToolErrorCallback>
}
