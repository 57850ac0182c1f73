import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"

/**
 * Throws a usage error if the workflow calls another workflow or a remote agent, because some
 * commands do not support such calls. `what` is a plural noun for the message, which describes the
 * result of the command, for example `Fault certificates`.
 */
export function refuseCalls(chart: AgentChart, file: string, what: string): void {
  const caller = firstCaller(chart)
  if (caller === null) return
  throw new UsageProblem(
    `${oneLine(file)} calls ${caller.calls} with the agent ${safeJson(caller.agent)}. ${what} do not include calls of other workflows and remote agents. Pass the called workflow, or test the whole workflow with run --scripted.`,
  )
}
