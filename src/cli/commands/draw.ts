import type { Command } from "commander"
import { Option } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { loadChart } from "../load-chart.js"
import type { Terminal } from "../terminal.js"
import type { WorkflowOptions } from "../workflow-options.js"
import { withServices, withWorkflowOptions } from "../workflow-options.js"
import { writeResult } from "../write-result.js"

interface DrawCommandOptions extends WorkflowOptions {
  readonly detail: "ways" | "all"
  readonly out?: string
}

const examples = `
Examples:
  agent-statecharts draw workflow.json -o workflow.mmd
  agent-statecharts draw workflow.chart.json --detail all

The text is a Mermaid stateDiagram-v2: GitHub shows it in a block marked \`mermaid\`, https://mermaid.live in a browser.`

export function addDraw(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withServices(withWorkflowOptions(program.command("draw")))
    .description("draw a workflow config or a compiled chart (Mermaid)")
    .argument("<file>", 'a workflow config (JSON, YAML, or a folder with a root_agent.yaml) or a compiled chart; "-" is stdin')
    .addOption(new Option("--detail <what>", "ways = how the work goes on; all = also exits, failures and limits").choices(["ways", "all"]).default("ways"))
    .option("-o, --out <file>", "write the drawing to a file instead of stdout")
    .addHelpText("after", examples)
    .action(async (file: string, options: DrawCommandOptions) => {
      const chart = await loadChart(file, options, terminal)
      if (chart === null) return exit(exitCodes.invalid)
      const { drawMermaid } = await import("../../drawing/index.js")
      await writeResult(drawMermaid(chart, { detail: options.detail }), options.out, terminal)
      return exit(exitCodes.ok)
    })
}
