import type { AgentConfig } from "../1-parse/config/agent-config.js"
import { configLimits } from "../document/config-limits.js"
import { report } from "../diagnostics/config-location.js"
import type { ReferenceGraph } from "./reference-graph.js"

/**
 * Reports agents that are nested too deeply, and configs whose chart would have too many states.
 * The chart has a state for every position in which an agent is used. The positions are counted
 * without creating them. Ten agents that each refer to the next agent ten times would have ten
 * billion positions. In `order`, each agent comes after the agents that it refers to.
 */
export function refuseTooLarge(
  { root, edges }: ReferenceGraph,
  order: readonly AgentConfig[],
): void {
  const depths = new Map<AgentConfig, number>()
  const positions = new Map<AgentConfig, number>()
  for (const agent of order) {
    let depth = 0
    let inside = 0
    for (const { to, tool } of edges.get(agent) ?? []) {
      depth = Math.max(depth, depths.get(to) ?? 0)
      if (tool === null) inside += positions.get(to) ?? 0
    }
    depths.set(agent, depth + 1)
    positions.set(agent, inside + 1)
  }
  const deepest = order.reduce<AgentConfig | null>(
    (found, agent) =>
      found === null || (depths.get(agent) ?? 0) > (depths.get(found) ?? 0) ? agent : found,
    null,
  )
  const depth = deepest === null ? 0 : (depths.get(deepest) ?? 0)
  if (deepest !== null && depth > configLimits.agentDepth) {
    report(deepest.location, {
      code: "nesting_too_deep",
      problem: `has ${depth} levels of nested agents, including itself; the limit is ${configLimits.agentDepth}`,
      fix: "Make the agent tree flatter, for example with one sequence instead of nested sequences.",
    })
  }
  const total = root === null ? 0 : reachablePositions(root, edges, positions)
  if (root !== null && total > configLimits.positions) {
    report(root.location, {
      code: "config_too_large",
      problem: `has ${total < Number.MAX_SAFE_INTEGER ? total : "far too many"} agent positions when all references are expanded; the limit is ${configLimits.positions}`,
      fix: "Use fewer references to agents that contain many other agents, or split the workflow.",
    })
  }
}

/**
 * Returns the total number of agent positions in all machines. The root agent has a machine, and
 * every agent that runs as a tool has a separate machine.
 */
function reachablePositions(
  root: AgentConfig,
  edges: ReferenceGraph["edges"],
  positions: ReadonlyMap<AgentConfig, number>,
): number {
  let total = positions.get(root) ?? 0
  const seen = new Set<unknown>([root])
  const pending = [root]
  for (let agent = pending.pop(); agent !== undefined; agent = pending.pop()) {
    for (const { to, tool } of edges.get(agent) ?? []) {
      if (tool !== null && !seen.has(tool)) total += positions.get(to) ?? 0
      seen.add(tool)
      if (!seen.has(to)) pending.push(to)
      seen.add(to)
    }
  }
  return total
}
