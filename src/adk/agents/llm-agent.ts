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
import { describe } from "../description/description.js"
import { refuse } from "../common/refuse.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"
import type { SchemaLike } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"
import type { AgentDescription, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

type Answer<Value> = Value | undefined | Promise<Value | undefined>

export type SingleBeforeModelCallback = (call: {
  readonly context: Context
  readonly request: LlmRequest
}) => Answer<LlmResponse>
export type SingleAfterModelCallback = (call: {
  readonly context: Context
  readonly response: LlmResponse
}) => Answer<LlmResponse>
export type SingleOnModelErrorCallback = (call: {
  readonly context: Context
  readonly request: LlmRequest
  readonly error: Error
}) => Answer<LlmResponse>
export type SingleBeforeToolCallback = (call: ToolCall) => Answer<ToolResponse>
export type SingleAfterToolCallback = (
  call: ToolCall & { readonly response: ToolResponse },
) => Answer<ToolResponse>
export type SingleOnToolErrorCallback = (
  call: ToolCall & { readonly error: Error },
) => Answer<ToolResponse>

/**
 * Returns the instruction of a turn, computed from the state. The text is not treated as a
 * template.
 */
export type InstructionProvider = (context: ReadonlyContext) => string | Promise<string>

export type ToolUnion = BaseTool | BaseToolset

export interface LlmAgentConfig extends BaseAgentConfig {
  /** The name of a model that is registered with the runner, or a model service; inherited from the agent above unless given. */
  readonly model?: string | ModelService
  /** May hold `{key}` and `{key?}` of the state, and `{artifact.name}`; or a function that makes it. */
  readonly instruction?: string | InstructionProvider
  /** Of the root, for all agents. */
  readonly globalInstruction?: string | InstructionProvider
  /** Sent word by word as the system text; `instruction` then opens the user's turn. */
  readonly staticInstruction?: string
  /** `none`: the agent sees the current turn only. */
  readonly includeContents?: "default" | "none"
  readonly inputSchema?: SchemaLike
  /** The final text has to follow it, and what it holds is what `outputKey` saves. */
  readonly outputSchema?: SchemaLike
  /** Lets `outputSchema` stand beside tools and sub-agents: an answer that breaks it is sent back once. */
  readonly structuredOutputWithTools?: boolean
  /** State key that the final text is saved under. */
  readonly outputKey?: string
  readonly tools?: readonly ToolUnion[]
  /** Settings of the model, passed on to its service. */
  readonly generateContentConfig?: JsonObject
  readonly disallowTransferToParent?: boolean
  readonly disallowTransferToPeers?: boolean
  /** What all of its turns together may use. */
  readonly budget?: BudgetFields
  /** How long a turn may take, such as `10m`. */
  readonly maxDuration?: string
  /** Its result replaces the model call. */
  readonly beforeModelCallback?: OneOrMore<SingleBeforeModelCallback>
  /** Its result replaces the model's response. */
  readonly afterModelCallback?: OneOrMore<SingleAfterModelCallback>
  /** Called when the model has failed and no retries are left. Its result replaces the response. */
  readonly onModelErrorCallback?: OneOrMore<SingleOnModelErrorCallback>
  /** Its result replaces the tool call. It may also change the arguments. */
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
    super(withoutDefaultMode(config), llmOptions)
    for (const field of Object.keys(unsupportedOptions))
      if ((config as unknown as Readonly<Record<string, unknown>>)[field] !== undefined)
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

  override [describe](into: AgentDescription): JsonObject {
    const { name, model } = this
    const { instruction, globalInstruction, inputSchema, outputSchema } = this.#config
    return {
      agentClass: "LlmAgent",
      ...describeAgent(this, into),
      ...(model !== undefined && {
        model: typeof model === "string" ? model : into.model(`${name}.model`, model),
      }),
      ...instructionField(into, name, "globalInstruction", globalInstruction),
      ...instructionField(into, name, "instruction", instruction),
      ...plainFields(this.#config),
      ...(inputSchema !== undefined && {
        inputSchema: jsonSchemaOf(inputSchema, `the inputSchema of the agent "${name}"`),
      }),
      ...(outputSchema !== undefined && {
        outputSchema: jsonSchemaOf(outputSchema, `the outputSchema of the agent "${name}"`),
      }),
      ...(this.tools.length > 0 && { tools: this.tools.map((tool) => tool[describe](into, name)) }),
      ...this.#callbacks(into),
      ...this.otherOptions,
    }
  }

  #callbacks(into: AgentDescription): JsonObject {
    const { name } = this
    const { parts } = into
    const config = this.#config
    return {
      ...callbackField(
        into,
        name,
        "beforeModelCallback",
        listOf(config.beforeModelCallback).map((call) =>
          beforeModelHook((context, request) => call({ context, request })),
        ),
      ),
      ...callbackField(
        into,
        name,
        "afterModelCallback",
        listOf(config.afterModelCallback).map((call) =>
          afterModelHook((context, response) => call({ context, response })),
        ),
      ),
      ...callbackField(
        into,
        name,
        "onModelErrorCallback",
        listOf(config.onModelErrorCallback).map((call) =>
          modelErrorHook((context, request, error) => call({ context, request, error })),
        ),
      ),
      ...callbackField(
        into,
        name,
        "beforeToolCallback",
        listOf(config.beforeToolCallback).map((call) => beforeToolHook(parts, call)),
      ),
      ...callbackField(
        into,
        name,
        "afterToolCallback",
        listOf(config.afterToolCallback).map((call) => afterToolHook(parts, call)),
      ),
      ...callbackField(
        into,
        name,
        "onToolErrorCallback",
        listOf(config.onToolErrorCallback).map((call) => toolErrorHook(parts, call)),
      ),
    }
  }
}

function instructionField(
  into: AgentDescription,
  owner: string,
  field: "instruction" | "globalInstruction",
  given: string | InstructionProvider | undefined,
): JsonObject {
  if (given === undefined || typeof given === "string")
    return given === undefined ? {} : { [field]: given }
  return {
    [field]: {
      service: into.service(`${owner}.${field}`, (host) => given(new ReadonlyContext(host))),
    },
  }
}

const plain = [
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

/** Those that stand in the config as they are given. */
const plainFields = (config: LlmAgentConfig): JsonObject =>
  Object.fromEntries(
    plain.flatMap((field) =>
      config[field] === undefined ? [] : [[field, config[field]] as const],
    ),
  )

/** An agent of ADK runs in the mode `single_turn` by default; the compiler reports every other mode. */
const withoutDefaultMode = (
  config: LlmAgentConfig & { readonly mode?: unknown },
): LlmAgentConfig => {
  const { mode, ...rest } = config
  return mode === "single_turn" ? rest : config
}

const llmOptions = [
  ...plain,
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

/** What ADK has and programs in plain JavaScript may pass; each with what to do instead. The types do not have them. */
const unsupportedOptions: Readonly<Record<string, string>> = {
  planner:
    "Describe in the instruction how to plan, or use a SequentialAgent whose first agent writes the plan.",
  codeExecutor: "Give the agent a tool that executes code in your own environment.",
  requestProcessors: "Use a beforeModelCallback.",
  responseProcessors: "Use an afterModelCallback.",
  contextCompactors: 'Use includeContents: "none", or an instruction that reads from the state.',
}
