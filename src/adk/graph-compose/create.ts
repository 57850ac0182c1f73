import type { AgentFields, SubAgentReference, ToolFields } from "./config.js"

/** No other fields than these: an unknown one has to be of a type that says so. */
type Only<Given, Fields, Type extends string> = {
  readonly [
    Field in Exclude<keyof Given, keyof Fields>
  ]: `"${Field & string}" is no field of ${Type}`
}

type Made<Type extends string, Fields> = { readonly type: Type } & Readonly<Fields>

/** Options in, config out. The type keeps ids and keys as they were written, so that references to them can be checked. */
const agent =
  <Type extends keyof AgentFields>(type: Type) =>
  <const Fields extends AgentFields[Type]>(
    fields: Fields & Only<Fields, AgentFields[Type], Type>,
  ): Made<Type, Fields> => ({ type, ...fields })

const tool =
  <Type extends keyof ToolFields>(type: Type) =>
  <const Fields extends ToolFields[Type]>(
    fields: Fields & Only<Fields, ToolFields[Type], Type>,
  ): Made<Type, Fields> => ({ type, ...fields })

export const createLlmAgent = agent("LlmAgent")
export const createSequentialAgent = agent("SequentialAgent")
export const createParallelAgent = agent("ParallelAgent")
export const createLoopAgent = agent("LoopAgent")
export const createHumanAgent = agent("HumanAgent")

export const createHttpTool = tool("HttpTool")
export const createAgentTool = tool("AgentTool")

/** A position of a container, for the agent of this id. */
export function createSubAgentReference<const Id extends string>(
  agentId: Id,
): { readonly agentId: Id }
export function createSubAgentReference<const Id extends string>(
  agentId: Id,
  options: Pick<SubAgentReference, "when">,
): { readonly agentId: Id; readonly when?: string }
export function createSubAgentReference<const Id extends string>(
  agentId: Id,
  options: Pick<SubAgentReference, "when"> = {},
): { readonly agentId: Id; readonly when?: string } {
  return { agentId, ...options }
}
