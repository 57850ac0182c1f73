import type { GraphComposeAgent, GraphComposeTool } from "../common/config-fields.js"

/**
 * The ids of agents or tools as a union type, such as `"writer" | "editor"`. If one id is not a
 * literal type, the result is `string` and references are not checked.
 */
export type IdsOf<Part> = Part extends { readonly id: infer Id extends string } ? Id : never

/**
 * The state keys that agents and tools write, as a union type. Includes the keys of nested agents.
 */
export type OutputKeysOf<Part> =
  | (Part extends { readonly outputKey: infer Key extends string } ? Key : never)
  | (Part extends { readonly subAgents: readonly (infer Child)[] } ? OutputKeysOf<Child> : never)

/**
 * The ids of the agents that an LlmAgent can hand off to, which are its sub-agents. `Id` is the id
 * of the LlmAgent.
 */
export type HandoffTargetsOf<Part, Id extends string> = Part extends {
  readonly type: "LlmAgent"
  readonly id: Id
  readonly subAgents: readonly (infer Child)[]
}
  ? IdsOf<Child>
  : never

/**
 * Error texts for the invalid references of a workflow, such as a reference to an agent that does
 * not exist. The type is `never` if all references are valid.
 */
export type ProblemsOf<
  Root extends string,
  Agents extends GraphComposeAgent,
  Tools extends GraphComposeTool,
> =
  string extends IdsOf<Agents>
    ? never
    :
        | UnknownRoot<Root, IdsOf<Agents>>
        | UnknownAgents<Agents, IdsOf<Agents>>
        | UnknownTargets<Tools, IdsOf<Agents>>
        | (string extends IdsOf<Tools> ? never : UnknownTools<Agents, IdsOf<Tools>>)

type UnknownRoot<Root extends string, Known extends string> = [Root] extends [never]
  ? "the builder has no root: call rootAgent(id)"
  : Unknown<Root, Known> extends infer Id extends string
    ? `rootAgent("${Id}"): no agent of this builder has this id`
    : never

type Unknown<Id extends string, Known extends string> = string extends Id
  ? never
  : Exclude<Id, Known>

type UnknownAgents<Agent, Known extends string> = Agent extends {
  readonly id: infer Id extends string
  readonly subAgents: readonly (infer Child)[]
}
  ? Child extends { readonly agentId: infer To extends string }
    ? `the agent "${Id}" refers to the agent "${Unknown<To, Known>}", which is not in this builder`
    : never
  : never

type UnknownTools<Agent, Known extends string> = Agent extends {
  readonly id: infer Id extends string
  readonly tools: readonly (infer Tool extends string)[]
}
  ? `the agent "${Id}" names the tool "${Unknown<Tool, Known>}", which is not in this builder`
  : never

type UnknownTargets<Tool, Known extends string> = Tool extends {
  readonly id: infer Id extends string
  readonly targetAgentId: infer To extends string
}
  ? `the AgentTool "${Id}" runs the agent "${Unknown<To, Known>}", which is not in this builder`
  : never
