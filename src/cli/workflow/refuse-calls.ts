import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"

/** Refuses a workflow that calls another workflow. `what` is the plural of what the command makes. */
export function refuseCalls(chart: AgentChart, file: string, what: string): void {
  const charts = [chart, ...Object.values(chart.charts ?? {})]
  const caller = charts
    .flatMap(({ agents }) => Object.entries(agents))
    .find(([, { type }]) => type === "WorkflowAgent")
  if (caller === undefined) return
  throw new UsageProblem(
    `${oneLine(file)} calls another workflow with the agent ${safeJson(caller[0])}. ${what} do not include called workflows. Pass the called workflow, or test the whole workflow with run --scripted.`,
  )
}
