import type { AgentChart } from "../agent-chart.js"
import type { ChartTaskGraph } from "./chart-task-graph.js"

/** Returns the graph of a chart, or null if the chart is a workflow of agents. */
export function taskGraphOf({ machines, root }: AgentChart): ChartTaskGraph | null {
  for (const { invoke } of Object.values(machines[root]?.states ?? {}))
    // The compiler creates the input of this machine.
    if (invoke?.src === "taskGraph") return invoke.input["graph"] as ChartTaskGraph
  return null
}
