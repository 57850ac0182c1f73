import type { AgentChart } from "../contract/agent-chart.js"
import type { ToolDeclaration } from "../contract/services.js"
import type { ToolDefinition, ToolsetDefinition } from "../contract/tool-definition.js"
import { finishTaskDeclaration } from "./finish-task.js"
import { builtInExitLoop, exitLoop } from "./built-in-tools.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { JsonObject } from "../data/json-object.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"
import type { ListedTool } from "./toolset.js"

/** Returns the declarations of all tools that the agent can use in this turn. */
export const declarationsOf = ({
  input,
  definition,
  listed,
}: LlmAgentContext): readonly ToolDeclaration[] =>
  listed.length === 0 && input.task === undefined
    ? definition.declarations
    : [
        ...definition.declarations,
        ...listed.map(({ declaration }) => declaration),
        ...(input.task === undefined ? [] : [finishTaskDeclaration(input.task)]),
      ]

/** Returns the tool that a toolset listed under this name, or undefined if no toolset listed it. */
export const listedTool = ({ listed }: LlmAgentContext, name: string): ListedTool | undefined =>
  listed.find(({ declaration }) => declaration.function.name === name)

/**
 * Returns the tool that a model calls by this name: a tool of the agent or of one of its toolsets.
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

/** Returns a tool call as it is shown in a request for its approval. */
export function proposedCall(
  context: LlmAgentContext,
  { id, tool, args }: OpenCall,
): NonNullable<PendingRequest["toolCalls"]>[number] {
  const declared = declarationsOf(context).find((declaration) => declaration.function.name === tool)
    ?.function.parameters
  return {
    id,
    name: tool,
    args,
    ...(declared !== undefined && limitsArguments(declared) && { parameters: declared }),
  }
}

/**
 * Returns whether a schema of tool arguments restricts the arguments. A schema without restrictions
 * accepts every object.
 */
const limitsArguments = ({ type: _type, properties, ...others }: JsonObject): boolean =>
  Object.keys(others).length > 0 || Object.keys(properties ?? {}).length > 0
