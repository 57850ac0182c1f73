import type { AgentConfig } from "../1-parse/config/agent-config.js"
import { report } from "../diagnostics/config-location.js"
import type { EdgeStep } from "./depth-first.js"
import { depthFirst } from "./depth-first.js"
import type { ReferenceEdge, ReferenceGraph } from "./reference-graph.js"

type Cycle = readonly EdgeStep<AgentConfig, ReferenceEdge>[]

/**
 * Reports every cycle of references between agents, because an agent that contains itself would
 * never end. References by tools count too. If there is a cycle, returns null. Otherwise, returns
 * all agents in an order in which each agent comes after the agents that it refers to.
 */
export function refuseCycles({ edges }: ReferenceGraph): readonly AgentConfig[] | null {
  const references = depthFirst(edges.keys(), (agent) =>
    (edges.get(agent) ?? []).filter(({ tool }) => tool === null),
  )
  for (const cycle of references.cycles) {
    const last = cycle.at(-1)
    if (last === undefined) continue
    report(last.edge.reference?.location ?? last.from.location, {
      code: "reference_cycle",
      problem: `makes a cycle: ${pathOf(cycle)}`,
      fix: "Remove one of these references. To repeat agents, put them in a LoopAgent.",
    })
  }
  // Without the edges that close a cycle, the references to sub-agents have no cycles. Each
  // remaining cycle contains a tool.
  const all = depthFirst(edges.keys(), (agent) =>
    (edges.get(agent) ?? []).filter((edge) => !references.closing.has(edge)),
  )
  const reported = new Set<unknown>()
  for (const cycle of all.cycles) {
    const step = cycle.findLast(({ edge }) => edge.tool !== null)
    const tool = step?.edge.tool
    if (!tool || reported.has(tool)) continue
    reported.add(tool)
    report(tool.target?.location ?? tool.location, {
      code: "agent_tool_recursion",
      problem: `makes a cycle, an agent that calls itself through tools: ${pathOf(cycle)}`,
      fix: `Remove the tool "${tool.id}" from one of these agents, or change the agent that the tool runs.`,
    })
  }
  return references.closing.size > 0 || all.closing.size > 0 ? null : all.order
}

const longestPath = 20

/** Returns the description of a cycle for a message, such as `a -> ask_b (tool) -> b -> a`. */
function pathOf(cycle: Cycle): string {
  const names = cycle.flatMap(({ from, edge }) => [
    nameOf(from),
    ...(edge.tool === null ? [] : [`${edge.tool.id} (tool)`]),
  ])
  const path = [...names, names[0] ?? ""]
  return (
    path.length <= longestPath
      ? path
      : [...path.slice(0, longestPath / 2), "...", ...path.slice(-3)]
  ).join(" -> ")
}

const nameOf = ({ id, location }: AgentConfig): string => id ?? location.pointer
