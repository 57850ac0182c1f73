import type { AgentChart } from "../contract/agent-chart.js"
import type { ToolDeclaration } from "../contract/services.js"
import type { ToolDefinition, ToolsetDefinition } from "../contract/tool-definition.js"
import { finishTaskDeclaration } from "./finish-task.js"
import { builtInExitLoop, exitLoop } from "./built-in-tools.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { JsonObject } from "../data/json-object.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"
import type { ListedTool } from "./toolset.js"

/**
 * Returns the declarations of all tools that the agent can use in this turn. They include the tools
 * that toolsets have listed, and `finish_task` if the agent has a task.
 */
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

/** Returns the tool that a toolset has listed under this name, or undefined if there is none. */
export const listedTool = ({ listed }: LlmAgentContext, name: string): ListedTool | undefined =>
  listed.find(({ declaration }) => declaration.function.name === name)

/**
 * Returns the tool that a model calls by this name, or undefined if the agent has no such tool. It
 * is a tool of the agent or of one of its toolsets.
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

/**
 * Returns the description of a tool call that a request for approval shows to a person. It contains
 * the name and the arguments of the call.
 */
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
 * Returns whether the JSON schema of a tool's arguments contains any restriction. A schema without
 * restrictions accepts every object.
 */
const limitsArguments = ({ type: _type, properties, ...others }: JsonObject): boolean =>
  Object.keys(others).length > 0 || Object.keys(properties ?? {}).length > 0
