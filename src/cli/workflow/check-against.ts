import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import type { CheckedAgainst } from "../format/against-lines.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine } from "../terminal/untrusted-text.js"
import { loadChart } from "./load-chart.js"

/**
 * Returns whether open runs of an old workflow (`check --against`) can continue with a chart, and
 * the differences. Throws a usage error if the old workflow does not compile.
 */
export async function checkAgainst(
  file: string,
  chart: AgentChart,
  options: WorkflowOptions,
  terminal: Terminal,
): Promise<CheckedAgainst> {
  const old = await loadChart(file, options, terminal, true)
  if (old === null)
    throw new UsageProblem(`--against needs a valid workflow, but ${oneLine(file)} has errors.`)
  const { compatible } = await import("../../runtime/migration/compatible.js")
  return { file, ...compatible(old, chart) }
}
