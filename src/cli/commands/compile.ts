import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import type { Terminal } from "../terminal/terminal.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { writeResult } from "../files/write-result.js"
import { safeJson } from "../terminal/untrusted-text.js"

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
