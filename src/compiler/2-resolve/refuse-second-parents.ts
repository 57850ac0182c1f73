import type { AgentConfig } from "../1-parse/config/agent-config.js"
import { report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import type { AgentRegistry } from "./agent-registry.js"
import type { ReferenceGraph } from "./reference-graph.js"

/**
 * Reports agents that have two parents or occur twice in the same parent, because ADK does not
 * allow this. An agent that is run by a tool does not become a child of the agent that uses the
 * tool.
 */
export function refuseSecondParents({ edges }: ReferenceGraph, registry: AgentRegistry): void {
  const parents = new Map<AgentConfig, AgentConfig>(registry.parents)
  for (const [agent, references] of edges) {
    for (const { to, tool, reference } of references) {
      if (tool !== null || reference === null) continue
      const parent = parents.get(to)
      if (parent === undefined) parents.set(to, agent)
      else {
        report(reference.location, {
          code: "second_parent",
          ...(parent === agent
            ? {
                problem: `lists ${describeValue(reference.id)} twice, but an agent has one position in its parent`,
                fix: "Remove one of the two entries, or add a separate agent with its own name.",
              }
            : {
                problem: `gives ${describeValue(reference.id)} a second parent: it is already a child of ${parent.location.owner.label}`,
                fix: "Define a separate agent with its own name, and refer to that agent here. In the adk dialect, each agent has only one parent.",
              }),
        })
      }
    }
  }
}
