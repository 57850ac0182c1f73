import type { GraphComposeAgent, GraphComposeTool } from "../common/config-fields.js"
import type { TypedWorkflow } from "./config.js"
import type { ProblemsOf } from "./references.js"

/**
 * A complete workflow whose references are valid, together with the types of its agents and tools.
 */
export interface BuiltWorkflow<
  Agents extends GraphComposeAgent = GraphComposeAgent,
  Tools extends GraphComposeTool = GraphComposeTool,
  Root extends string = string,
> {
  readonly config: TypedWorkflow<Root, Agents>
  /** Contains the types of agents and tools at compile time. Never set at run time. */
  readonly types?: { readonly agents: Agents; readonly tools: Tools }
}

/**
 * The type of `this` in the method `build`. It is the builder, or an error text if a reference is
 * invalid. With the error text, the call of `build` is a type error.
 */
type Buildable<Builder, Problems> = [Problems] extends [never] ? Builder : Problems

interface Draft {
  readonly rootAgentId: string
  readonly agents: readonly GraphComposeAgent[]
  readonly tools: readonly GraphComposeTool[]
  readonly maxCycles: number | null
}

/**
 * A builder that creates a workflow step by step. Each method returns a new builder. If a reference
 * is invalid, the call of `build` is a type error.
 */
export class WorkflowBuilder<
  Root extends string = never,
  Agents extends GraphComposeAgent = never,
  Tools extends GraphComposeTool = never,
> {
  readonly #draft: Draft

  constructor(draft: Draft = { rootAgentId: "", agents: [], tools: [], maxCycles: null }) {
    this.#draft = draft
  }

  /** Sets the id of the agent that the workflow starts with. */
  rootAgent<const Id extends string>(id: Id): WorkflowBuilder<Id, Agents, Tools> {
    return new WorkflowBuilder({ ...this.#draft, rootAgentId: id })
  }

  agent<const Agent extends GraphComposeAgent>(
    agent: Agent,
  ): WorkflowBuilder<Root, Agents | Agent, Tools> {
    return new WorkflowBuilder({ ...this.#draft, agents: [...this.#draft.agents, agent] })
  }

  httpTool<const Tool extends Extract<GraphComposeTool, { type: "HttpTool" }>>(
    tool: Tool,
  ): WorkflowBuilder<Root, Agents, Tools | Tool> {
    return this.#withTool(tool)
  }

  agentTool<const Tool extends Extract<GraphComposeTool, { type: "AgentTool" }>>(
    tool: Tool,
  ): WorkflowBuilder<Root, Agents, Tools | Tool> {
    return this.#withTool(tool)
  }

  /**
   * Sets the maximum number of times that the root agent is called. If the root agent would be
   * called more often, the run ends with status `limit`.
   */
  withMaxCycles(maxCycles: number): WorkflowBuilder<Root, Agents, Tools> {
    return new WorkflowBuilder({ ...this.#draft, maxCycles })
  }

  build(
    this: Buildable<WorkflowBuilder<Root, Agents, Tools>, ProblemsOf<Root, Agents, Tools>>,
  ): BuiltWorkflow<Agents, Tools, Root> {
    // If a reference is invalid, the type of `this` is an error text and the call does not compile.
    return (this as unknown as WorkflowBuilder<Root, Agents, Tools>).#built()
  }

  #built(): BuiltWorkflow<Agents, Tools, Root> {
    const { rootAgentId, agents, tools, maxCycles } = this.#draft
    const config = {
      rootAgentId,
      agents,
      ...(tools.length > 0 && { globalTools: tools }),
      ...(maxCycles !== null && { maxOrchestrationCycles: maxCycles }),
    }
    // The type parameters are the types of the root and the agents that were added.
    return { config: config as TypedWorkflow<Root, Agents> }
  }

  #withTool(tool: GraphComposeTool): WorkflowBuilder<Root, Agents, never> {
    return new WorkflowBuilder({ ...this.#draft, tools: [...this.#draft.tools, tool] })
  }
}
