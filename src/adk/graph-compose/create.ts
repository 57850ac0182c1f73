import type { AgentFields, ToolFields } from "../common/config-fields.js"
import type { SubAgentReference } from "../common/setting-fields.js"

/**
 * Makes unknown fields a type error. The type of each unknown field is an error text, such as
 * `"urll" is not a field of HttpTool`.
 */
type Exact<Given, Fields, Type extends string> = {
  readonly [
    Field in Exclude<keyof Given, keyof Fields>
  ]: `"${Field & string}" is not a field of ${Type}`
}

type Created<Type extends string, Fields> = { readonly type: Type } & Readonly<Fields>

/**
 * Returns a function that creates configs of one agent type. The function keeps the literal types
 * of ids and keys, so that the TypeScript compiler can check references.
 */
const agent =
  <Type extends keyof AgentFields>(type: Type) =>
  <const Fields extends AgentFields[Type]>(
    fields: Fields & Exact<Fields, AgentFields[Type], Type>,
  ): Created<Type, Fields> => ({ type, ...fields })

const tool =
  <Type extends keyof ToolFields>(type: Type) =>
  <const Fields extends ToolFields[Type]>(
    fields: Fields & Exact<Fields, ToolFields[Type], Type>,
  ): Created<Type, Fields> => ({ type, ...fields })

export const createLlmAgent = agent("LlmAgent")
export const createSequentialAgent = agent("SequentialAgent")
export const createParallelAgent = agent("ParallelAgent")
export const createLoopAgent = agent("LoopAgent")
export const createHumanAgent = agent("HumanAgent")
export const createWaitAgent = agent("WaitAgent")
export const createWorkflowAgent = agent("WorkflowAgent")
export const createRemoteA2AAgent = agent("RemoteA2AAgent")

export const createHttpTool = tool("HttpTool")
export const createAgentTool = tool("AgentTool")

/**
 * Creates a reference to the agent with this id, for the `subAgents` of a SequentialAgent,
 * ParallelAgent or LoopAgent.
 */
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
