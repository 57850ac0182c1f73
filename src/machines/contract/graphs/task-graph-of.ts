import type { AgentChart } from "../agent-chart.js"
import type { ChartTaskGraph } from "./chart-task-graph.js"

/** Returns the Graph Compose graph of a chart, or null if the chart is a workflow of agents. */
export function taskGraphOf({ machines, root }: AgentChart): ChartTaskGraph | null {
  const states = machines[root]?.states
  // Called several times for each run, so it creates no list of the states.
  for (const key in states) {
    const invoke = states[key]?.invoke
    // The compiler creates the input of this machine.
    if (invoke?.src === "taskGraph") return invoke.input["graph"] as ChartTaskGraph
  }
  return null
}
