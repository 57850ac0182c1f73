import type { AgentChart } from "../contract/agent-chart.js"
import type { ToolDeclaration } from "../contract/services.js"
import type { ToolDefinition, ToolsetDefinition } from "../contract/tool-definition.js"
import { builtInExitLoop, exitLoop } from "./built-in-tools.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import type { ListedTool } from "./toolset.js"

/** Returns the declarations of all tools that the agent has in this turn. */
export const declarationsOf = ({
  definition,
  listed,
}: LlmAgentContext): readonly ToolDeclaration[] =>
  listed.length === 0
    ? definition.declarations
    : [...definition.declarations, ...listed.map(({ declaration }) => declaration)]

/** Returns the tool that a toolset listed under this name, or undefined. */
export const listedTool = ({ listed }: LlmAgentContext, name: string): ListedTool | undefined =>
  listed.find(({ declaration }) => declaration.function.name === name)

/**
 * Returns the tool that the model calls by this name. It can be a tool of the agent or of one of
 * its toolsets.
 */
export function calledTool(
  context: LlmAgentContext,
  name: string,
  { tools }: AgentChart,
): Exclude<ToolDefinition, ToolsetDefinition> | undefined {
  const ids = context.definition.tools
  const own = ids.includes(name)
    ? tools[name]
    : name === exitLoop && ids.includes(builtInExitLoop)
      ? tools[builtInExitLoop]
      : listedTool(context, name)?.definition
  return own?.type === "Toolset" ? undefined : own
}
