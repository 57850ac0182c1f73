import type { GraphComposeAgent, GraphComposeTool } from "../common/config-fields.js"

/**
 * A workflow config in the format of Graph Compose. `graph.toConfig()` returns it, and `compile`
 * reads it.
 */
export interface GraphComposeWorkflow {
  readonly rootAgentId: string
  readonly agents: readonly GraphComposeAgent[]
  readonly globalTools?: readonly GraphComposeTool[]
  readonly maxOrchestrationCycles?: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly initialUserInput?: string
}

/**
 * A workflow config whose type contains the literal types of the root id and of the agents. The
 * TypeScript compiler uses them to type the result of `execute`.
 */
export interface TypedWorkflow<
  Root extends string,
  Agents extends GraphComposeAgent,
> extends GraphComposeWorkflow {
  readonly rootAgentId: Root
  readonly agents: readonly Agents[]
}
