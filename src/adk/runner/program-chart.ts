import { compile } from "../../compiler/compile.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"
import { modelsOf } from "../../machines/model-call/agent-models.js"
import { refuse } from "../common/refuse.js"
import { LLMRegistry, serviceOfLlm } from "../models/base-llm.js"
import type { BaseNode } from "../nodes/base-node.js"
import type { AgentProgram } from "../program/program.js"

/** Model services by model name. Agents refer to models by these names. */
export type ModelServices = Readonly<Record<string, ModelService>>

/**
 * Adds a service for each model name that agents use and that `models` does not contain.
 * `LLMRegistry` creates these services.
 */
export function withRegistered({ agents }: AgentChart, models: ModelServices): ModelServices {
  const found: Record<string, ModelService> = { ...models }
  for (const definition of Object.values(agents)) {
    for (const model of modelsOf(definition))
      if (!Object.hasOwn(found, model) && LLMRegistry.resolve(model) !== undefined)
        found[model] = serviceOfLlm(LLMRegistry.newLlm(model))
  }
  return found
}

/**
 * Compiles an agent tree to a chart.
 *
 * @throws AgentStatechartsError `definition_refused` with all problems if the agents do not
 * compile.
 */
export function chartOf(
  { config }: AgentProgram,
  agent: BaseNode,
  defaultModel: string | undefined,
  limits: { readonly maxModelCalls?: number } = {},
): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "adk", defaultModel, ...limits })
  if (chart !== null) return chart
  const problems = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, fix }) => `${message} ${fix}`)
  return refuse(`The agent "${agent.name}" cannot be compiled.`, problems.join("\n"))
}

/** Returns the ids of the long-running tools. The results of these tools are delivered later. */
export const longRunningTools = ({ tools }: AgentChart): ReadonlySet<string> =>
  new Set(
    Object.entries(tools).flatMap(([id, tool]) =>
      tool.type === "FunctionTool" && tool.longRunning === true ? [id] : [],
    ),
  )
