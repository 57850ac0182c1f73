import type { JsonObject } from "../../machines/data/json-object.js"
import { compactorHooks, compactorObservers } from "../callbacks/context-compactor.js"
import { isBaseLlm, serviceOfLlm } from "../models/base-llm.js"
import { ReadonlyContext } from "../context/context.js"
import {
  afterModelHook,
  afterToolHook,
  beforeModelHook,
  beforeToolHook,
  callbackField,
  modelErrorHook,
  toolErrorHook,
} from "../callbacks/hooks.js"
import { llmAgentData } from "../common/agent-options.js"
import { definedOptions } from "../common/defined-options.js"
import { listOf } from "../common/one-or-more.js"
import { describeArgument } from "../../machines/data/check-arguments.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import { jsonSchemaOf } from "../common/schema.js"
import type { AgentProgramBuilder } from "./base-agent.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { BaseToolset } from "../tools/base-toolset.js"
import { FinishTaskTool, textResult } from "../tools/finish-task-tool.js"
import { NodeTool } from "../nodes/node-tool.js"
import { BaseNode, copyNode, nodeOptions, nodesOfGraphs } from "../nodes/base-node.js"
import { describeAgent } from "./base-agent.js"
import { guardrailConfig } from "./guardrail-options.js"
import { ChartedAgent } from "./charted-agent.js"

import type {
  AgentModel,
  FallbackModel,
  InstructionProvider,
  LlmAgentConfig,
} from "./llm-agent-config.js"

/**
 * An agent that calls a language model in each turn. The model can call the agent's tools and hand
 * off the conversation to its sub-agents.
 *
 * @example
 * const root = new LlmAgent({ name: "capital_agent", model: "small", instruction: "Answer questions about capitals.", tools: [getCapitalCity] })
 */
export class LlmAgent extends ChartedAgent {
  readonly model: AgentModel | undefined
  readonly instruction: string | InstructionProvider | undefined
  readonly tools: readonly (BaseTool | BaseToolset)[]
  readonly outputKey: string | undefined
  /** The constructor options. The method `clone` creates copies of the agent from them. */
  protected readonly config: LlmAgentConfig

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
    this.tools = checkedTools(config)
    this.outputKey = config.outputKey
    this.config = config
  }

  override clone(overrides: Partial<LlmAgentConfig> = {}): this {
    return copyNode(super.clone(overrides), { config: { ...this.config, ...overrides } })
  }

  /**
   * Returns the options of this agent as a node of a Workflow. In a Workflow, the agent receives
   * the conversation only with `mode: "task"` or if `includeContents` is set. @internal
   */
  override [nodeOptions](): JsonObject {
    const { includeContents, mode, outputSchema } = this.config
    const schema =
      outputSchema === undefined
        ? textResult
        : jsonSchemaOf(outputSchema, `the outputSchema of the agent "${this.name}"`)
    return {
      ...super[nodeOptions](),
      ...((includeContents !== undefined || mode === "task") && { seesConversation: true }),
      ...(mode === "task" && { task: schema, waitForOutput: true }),
    }
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name, model } = this
    const {
      instruction,
      globalInstruction,
      inputSchema,
      outputSchema,
      fallback,
      routes,
      guardrails,
    } = this.config
    // An agent with `mode: "task"` always has the tool `finish_task`, so it is not listed again.
    const tools = this.isTask()
      ? this.tools.filter((tool) => !(tool instanceof FinishTaskTool))
      : this.tools
    return {
      agentClass: "LlmAgent",
      ...describeAgent(this, program),
      ...(model !== undefined && { model: modelName(program, `${name}.model`, model) }),
      ...(fallback !== undefined && {
        fallback: fallback.map((entry, index) => {
          const { model, ...others } = isFallback(entry) ? entry : { model: entry }
          return { model: modelName(program, `${name}.fallback.${index}`, model), ...others }
        }),
      }),
      ...(routes !== undefined && {
        routes: routes.map(({ model, ...others }, index) => ({
          model: modelName(program, `${name}.routes.${index}`, model),
          ...others,
        })),
      }),
      ...(guardrails !== undefined && {
        guardrails: guardrailConfig(program, name, guardrails, (path, service) =>
          modelName(program, path, service),
        ),
      }),
      ...instructionField(program, name, "globalInstruction", globalInstruction),
      ...instructionField(program, name, "instruction", instruction),
      ...definedOptions(this.config, llmAgentData),
      ...(inputSchema !== undefined && {
        inputSchema: jsonSchemaOf(inputSchema, `the inputSchema of the agent "${name}"`),
      }),
      // With `mode: "task"`, the output schema is the schema of the result passed to `finish_task`.
      ...(outputSchema !== undefined &&
        !this.isTask() && {
          outputSchema: jsonSchemaOf(outputSchema, `the outputSchema of the agent "${name}"`),
        }),
      ...(tools.length > 0 && { tools: tools.map((tool) => tool[describe](program, name)) }),
      ...this.callbackConfig(program),
      ...this.otherOptions,
    }
  }

  private isTask(): boolean {
    return this.config.mode === "task" && nodesOfGraphs.has(this)
  }

  protected callbackConfig(program: AgentProgramBuilder): JsonObject {
    const { name, config } = this
    const { parts } = program
    return {
      ...callbackField(program, name, "beforeModelCallback", [
        ...listOf(config.beforeModelCallback).map((call) =>
          beforeModelHook((context, request) => call({ context, request })),
        ),
        // Compactors run after all other callbacks, directly before the model call.
        ...compactorHooks(config.contextCompactors),
      ]),
      ...callbackField(program, name, "afterModelCallback", [
        ...compactorObservers(config.contextCompactors),
        ...listOf(config.afterModelCallback).map((call) =>
          afterModelHook((context, response) => call({ context, response })),
        ),
      ]),
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

/** Returns the name of a model. If the model is an object, registers it under `name`. */
const modelName = (program: AgentProgramBuilder, name: string, model: AgentModel): string =>
  typeof model === "string"
    ? model
    : program.model(name, isBaseLlm(model) ? serviceOfLlm(model) : model)

/** Returns whether a fallback is an object with a model and options, and not a model itself. */
const isFallback = (entry: AgentModel | FallbackModel): entry is FallbackModel =>
  typeof entry === "object" && !isBaseLlm(entry) && !("call" in entry)

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

/**
 * Returns the tools of an agent. Wraps each node, such as a Workflow, as a tool. Throws
 * `definition_refused` if a value is not a tool.
 */
function checkedTools({ name, tools = [] }: LlmAgentConfig): readonly (BaseTool | BaseToolset)[] {
  for (const [index, tool] of tools.entries())
    // In JavaScript, a list can contain any value.
    if (typeof tool !== "object" || tool === null || typeof tool[describe] !== "function")
      refuse(
        `tools[${index}] of the LlmAgent "${name}" is ${describeArgument(tool)}, not a tool.`,
        "Pass a tool object, such as new FunctionTool({ name, description, execute }).",
      )
  return tools.map((tool) => (tool instanceof BaseNode ? new NodeTool(tool) : tool))
}

/**
 * Removes the mode `single_turn`, which is the default in ADK, from the options. The compiler
 * reports every other mode.
 */
const withoutDefaultMode = (config: LlmAgentConfig): LlmAgentConfig => {
  const { mode, ...rest } = config
  return mode === "single_turn" ? rest : config
}

const llmAgentOptions = [
  ...llmAgentData,
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
  "contextCompactors",
  "fallback",
  "routes",
  "guardrails",
] as const satisfies readonly (keyof LlmAgentConfig)[]

/**
 * ADK options that are not supported. Maps the name of each option to the suggested alternative for
 * the error message. The types do not include these options, so only JavaScript programs can pass
 * them.
 */
const unsupportedOptions: Readonly<Record<string, string>> = {
  planner:
    "Describe in the instruction how to plan, or use a SequentialAgent whose first agent writes the plan.",
  codeExecutor: "Give the agent a tool that executes code in your own environment.",
  requestProcessors: "Use a beforeModelCallback.",
  responseProcessors: "Use an afterModelCallback.",
}
