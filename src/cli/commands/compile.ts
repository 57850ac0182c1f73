import type { Command } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { loadChart } from "../load-chart.js"
import type { Terminal } from "../terminal.js"
import type { WorkflowOptions } from "../workflow-options.js"
import { withServices, withWorkflowOptions } from "../workflow-options.js"
import { writeResult } from "../write-result.js"
import { safeJson } from "../untrusted-text.js"

const examples = `
Examples:
  agent-statecharts compile workflow.json -o workflow.chart.json
  agent-statecharts compile workflow.json | jq '.machines | keys'`

export function addCompile(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("compile")))
    .description("compile a workflow config to a statechart (JSON)")
    .argument(
      "<file>",
      'a workflow config (JSON, YAML, or a folder with a root_agent.yaml); "-" is stdin',
    )
    .option("-o, --out <file>", "write the chart to a file instead of stdout")
    .addHelpText("after", examples)
    .action(async (file: string, options: WorkflowOptions & { readonly out?: string }) => {
      const chart = await loadChart(file, options, terminal)
      if (chart === null) return exit(exitCodes.invalid)
      await writeResult(`${safeJson(chart, 2)}\n`, options.out, terminal)
      return exit(exitCodes.ok)
    })
}
