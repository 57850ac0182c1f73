import type { AgentChart } from "../contract/agent-chart.js"

export type Workflows = Readonly<Record<string, AgentChart>>

/**
 * Searches several lists of workflows for a name. Returns the chart from the first list that
 * contains the name, or undefined if no list contains it.
 */
export const workflowNamed = (
  name: string,
  lists: readonly (Workflows | undefined)[],
): AgentChart | undefined =>
  lists.find((list) => list !== undefined && Object.hasOwn(list, name))?.[name]

/**
 * Returns a chart, the charts of its graph nodes, and the charts of all workflows that these charts
 * call. Each chart occurs once. `registered` contains the workflows that are called by name.
 */
export function chartsWithCalls(chart: AgentChart, registered?: Workflows): readonly AgentChart[] {
  const found = new Set<AgentChart>([chart])
  // The loop also visits the charts that its body adds to `found`.
  for (const { agents, charts = {}, workflows } of found) {
    for (const inner of Object.values(charts)) found.add(inner)
    for (const agent of Object.values(agents)) {
      if (agent.type !== "WorkflowAgent" || agent.remote !== undefined) continue
      const called = workflowNamed(agent.workflow, [workflows, registered])
      if (called !== undefined) found.add(called)
    }
  }
  return [...found]
}

/**
 * Returns a chart and the charts of all workflows that it calls. The charts of graph nodes are not
 * included, because they do not have their own runs.
 */
export function chartsOfRuns(chart: AgentChart, registered?: Workflows): readonly AgentChart[] {
  const all = chartsWithCalls(chart, registered)
  const inNodes = new Set(all.flatMap(({ charts = {} }) => Object.values(charts)))
  return all.filter((one) => !inNodes.has(one))
}

/**
 * Returns the first agent of a chart that calls another workflow or a remote agent, or null if
 * there is none. Searches the agents of the chart first, and then the agents of its graph nodes.
 */
export function firstCaller({ agents, charts = {} }: AgentChart): {
  readonly agent: string
  readonly calls: "another workflow" | "a remote agent"
} | null {
  for (const [id, agent] of Object.entries(agents))
    if (agent.type === "WorkflowAgent")
      return {
        agent: id,
        calls: agent.remote === undefined ? "another workflow" : "a remote agent",
      }
  for (const inner of Object.values(charts)) {
    const caller = firstCaller(inner)
    if (caller !== null) return caller
  }
  return null
}

/** Returns the fingerprints of a chart and of all workflows that it calls, separated by spaces. */
export const fingerprintWithCalls = (chart: AgentChart): string =>
  chartsOfRuns(chart)
    .map(({ fingerprint }) => fingerprint)
    .join(" ")
