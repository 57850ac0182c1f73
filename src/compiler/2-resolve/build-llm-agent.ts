import type { AdkDefinition } from "../../machines/contract/agent-definition.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import { hooksOf, joinHooks } from "../1-parse/adk/values/callbacks.js"
import type { ParsedLlmAgent, ParsedValues } from "../1-parse/config/agent-config.js"
import type { PluginConfig } from "../1-parse/config/workflow-config.js"

/**
 * The instruction of an agent: a text, or a host function that returns the text. Null if the agent
 * has none.
 */
type Instruction = ParsedValues["instruction"] | null

/**
 * Returns the fields of an LlmAgent that only exist in the adk dialect. Callbacks of plugins come
 * before callbacks of the agent. Every agent has the global instruction of the root agent.
 */
export function adkDefinition(
  config: ParsedLlmAgent,
  globalInstruction: Instruction,
  plugins: readonly PluginConfig[],
): AdkDefinition {
  const hooks = joinHooks([...plugins.map((plugin) => plugin.hooks), hooksOf(config)])
  const policies = plugins.flatMap(({ policy }) => policy ?? [])
  return {
    instruction: templateOf(config.instruction),
    staticInstruction: config.staticInstruction,
    globalInstruction: templateOf(globalInstruction),
    includeContents: config.includeContents,
    outputSchema: config.outputSchema,
    inputSchema: config.inputSchema,
    structuredOutputWithTools: config.structuredOutputWithTools,
    generateContentConfig: config.generateContentConfig,
    ...withoutNulls({
      instructionService: serviceOf(config.instruction),
      globalInstructionService: serviceOf(globalInstruction),
      hooks: Object.keys(hooks).length > 0 ? hooks : null,
      policies: policies.length > 0 ? policies : null,
    }),
  }
}

const templateOf = (instruction: Instruction): string | null =>
  typeof instruction === "string" ? instruction : null

const serviceOf = (instruction: Instruction): string | null =>
  typeof instruction === "string" ? null : (instruction?.service ?? null)
