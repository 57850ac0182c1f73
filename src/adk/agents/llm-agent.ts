import type { BudgetFields } from "../../machines/contract/budget.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { Context } from "../context/context.js"
import { ReadonlyContext } from "../context/context.js"
import type { ToolCall, ToolResponse } from "../callbacks/hooks.js"
import {
  afterModelHook,
  afterToolHook,
  beforeModelHook,
  beforeToolHook,
  callbackField,
  modelErrorHook,
  toolErrorHook,
} from "../callbacks/hooks.js"
import type { LlmRequest, LlmResponse } from "../callbacks/llm-request.js"
import type { OneOrMore } from "../common/one-or-more.js"
import { listOf } from "../common/one-or-more.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"
import type { SchemaLike } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

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
 * Returns the instruction of a turn, for example from the session state. Placeholders in the text
 * are not filled.
 */
export type InstructionProvider = (context: ReadonlyContext) => string | Promise<string>

export type ToolUnion = BaseTool | BaseToolset

export interface LlmAgentConfig extends BaseAgentConfig {
  /**
   * The name of a model that is registered with the runner, or a model service. Default: the model
   * of the parent agent.
   */
  readonly model?: string | ModelService
  /**
   * A template with `{key}`, `{key?}` and `{artifact.name}`, or a function that returns the
   * instruction.
   */
  readonly instruction?: string | InstructionProvider
  /** An instruction for all agents of the tree. Only the root agent can have it. */
  readonly globalInstruction?: string | InstructionProvider
  /**
   * Text that is sent unchanged as the system message. `instruction` is then sent before the user's
   * message.
   */
  readonly staticInstruction?: string
  /**
   * Which part of the session history the agent sees. `none`: only the current turn. Default: all
   * of it.
   */
  readonly includeContents?: "default" | "none"
  readonly inputSchema?: SchemaLike
  /** Schema of the final text. `outputKey` saves the parsed value instead of the text. */
  readonly outputSchema?: SchemaLike
  /**
   * Allows `outputSchema` together with tools and sub-agents. If the final text violates the
   * schema, the model is called once more to correct it.
   */
  readonly structuredOutputWithTools?: boolean
  /** The state key under which the final text is saved. */
  readonly outputKey?: string
  readonly tools?: readonly ToolUnion[]
  /** Generation settings, passed to the model service. */
  readonly generateContentConfig?: JsonObject
  readonly disallowTransferToParent?: boolean
  readonly disallowTransferToPeers?: boolean
  /** Budget of the model calls in all turns of the agent together. */
  readonly budget?: BudgetFields
  /** Maximum duration of one turn, for example `10m`. */
  readonly maxDuration?: string
  /** Called before each model call. If it returns a response, the model is not called. */
  readonly beforeModelCallback?: OneOrMore<SingleBeforeModelCallback>
  /** Called after each model call. If it returns a response, this replaces the model's response. */
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

/**
 * An agent that uses a model.
 *
 * @example
 * const root = new LlmAgent({ name: "capital_agent", model: "small", instruction: "Answer questions about capitals.", tools: [getCapitalCity] })
 */
export class LlmAgent extends ChartedAgent {
  readonly model: string | ModelService | undefined
  readonly instruction: string | InstructionProvider | undefined
  readonly tools: readonly ToolUnion[]
  readonly outputKey: string | undefined
  readonly #config: LlmAgentConfig

  constructor(config: LlmAgentConfig) {
    super(withoutDefaultMode(config), llmAgentOptions)
    const options: Readonly<Record<string, unknown>> = { ...config }
    for (const field of Object.keys(unsupportedOptions))
      if (options[field] !== undefined)
        refuse(
          `The LlmAgent "${config.name}" has "${field}", which is not supported.`,
          unsupportedOptions[field] ?? "Remove it.",
        )
    this.model = config.model
    this.instruction = config.instruction
    this.tools = [...(config.tools ?? [])]
    this.outputKey = config.outputKey
    this.#config = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name, model } = this
    const { instruction, globalInstruction, inputSchema, outputSchema } = this.#config
    return {
      agentClass: "LlmAgent",
      ...describeAgent(this, program),
      ...(model !== undefined && {
        model: typeof model === "string" ? model : program.model(`${name}.model`, model),
      }),
      ...instructionField(program, name, "globalInstruction", globalInstruction),
      ...instructionField(program, name, "instruction", instruction),
      ...copiedFields(this.#config),
      ...(inputSchema !== undefined && {
        inputSchema: jsonSchemaOf(inputSchema, `the inputSchema of the agent "${name}"`),
      }),
      ...(outputSchema !== undefined && {
        outputSchema: jsonSchemaOf(outputSchema, `the outputSchema of the agent "${name}"`),
      }),
      ...(this.tools.length > 0 && {
        tools: this.tools.map((tool) => tool[describe](program, name)),
      }),
      ...this.#callbacks(program),
      ...this.otherOptions,
    }
  }

  #callbacks(program: AgentProgramBuilder): JsonObject {
    const { name } = this
    const { parts } = program
    const config = this.#config
    return {
      ...callbackField(
        program,
        name,
        "beforeModelCallback",
        listOf(config.beforeModelCallback).map((call) =>
          beforeModelHook((context, request) => call({ context, request })),
        ),
      ),
      ...callbackField(
        program,
        name,
        "afterModelCallback",
        listOf(config.afterModelCallback).map((call) =>
          afterModelHook((context, response) => call({ context, response })),
        ),
      ),
      ...callbackField(
        program,
        name,
        "onModelErrorCallback",
        listOf(config.onModelErrorCallback).map((call) =>
          modelErrorHook((context, request, error) => call({ context, request, error })),
        ),
      ),
      ...callbackField(
        program,
        name,
        "beforeToolCallback",
        listOf(config.beforeToolCallback).map((call) => beforeToolHook(parts, call)),
      ),
      ...callbackField(
        program,
        name,
        "afterToolCallback",
        listOf(config.afterToolCallback).map((call) => afterToolHook(parts, call)),
      ),
      ...callbackField(
        program,
        name,
        "onToolErrorCallback",
        listOf(config.onToolErrorCallback).map((call) => toolErrorHook(parts, call)),
      ),
    }
  }
}

function instructionField(
  program: AgentProgramBuilder,
  owner: string,
  field: "instruction" | "globalInstruction",
  instruction: string | InstructionProvider | undefined,
): JsonObject {
  if (instruction === undefined || typeof instruction === "string")
    return instruction === undefined ? {} : { [field]: instruction }
  return {
    [field]: {
      service: program.service(`${owner}.${field}`, (host) =>
        instruction(new ReadonlyContext(host)),
      ),
    },
  }
}

const copiedOptions = [
  "staticInstruction",
  "includeContents",
  "outputKey",
  "structuredOutputWithTools",
  "generateContentConfig",
  "disallowTransferToParent",
  "disallowTransferToPeers",
  "budget",
  "maxDuration",
] as const satisfies readonly (keyof LlmAgentConfig)[]

/** Returns the options that are copied to the config unchanged. */
const copiedFields = (config: LlmAgentConfig): JsonObject =>
  Object.fromEntries(
    copiedOptions.flatMap((field) =>
      config[field] === undefined ? [] : [[field, config[field]] as const],
    ),
  )

/**
 * Removes the mode `single_turn`, which is the default of ADK. The compiler reports every other
 * mode.
 */
const withoutDefaultMode = (
  config: LlmAgentConfig & { readonly mode?: unknown },
): LlmAgentConfig => {
  const { mode, ...rest } = config
  return mode === "single_turn" ? rest : config
}

const llmAgentOptions = [
  ...copiedOptions,
  "model",
  "instruction",
  "globalInstruction",
  "inputSchema",
  "outputSchema",
  "tools",
  "beforeModelCallback",
  "afterModelCallback",
  "onModelErrorCallback",
  "beforeToolCallback",
  "afterToolCallback",
  "onToolErrorCallback",
] as const satisfies readonly (keyof LlmAgentConfig)[]

/**
 * Options of ADK that are not supported, each with the alternative. Only JavaScript programs can
 * pass them, because the types do not have them.
 */
const unsupportedOptions: Readonly<Record<string, string>> = {
  planner:
    "Describe in the instruction how to plan, or use a SequentialAgent whose first agent writes the plan.",
  codeExecutor: "Give the agent a tool that executes code in your own environment.",
  requestProcessors: "Use a beforeModelCallback.",
  responseProcessors: "Use an afterModelCallback.",
  contextCompactors: 'Use includeContents: "none", or an instruction that reads from the state.',
}
