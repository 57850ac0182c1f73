import type { Command } from "commander"
import { Option } from "commander"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawingFormat } from "../workflow/drawing-format.js"
import { drawingFormats, fileNextTo, formatOf } from "../workflow/drawing-format.js"
import type { DrawingDetail, SvgOptions } from "../../drawing/index.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { progressLine } from "../progress/progress-line.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { writeResult, writeTo } from "../files/write-result.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"

interface DrawCommandOptions extends WorkflowOptions {
  readonly format?: DrawingFormat
  readonly detail: DrawingDetail
  readonly all?: true
  readonly expand?: true
  readonly legend?: true
  readonly direction: "down" | "right"
  readonly theme: "auto" | "light" | "dark"
  readonly out?: string
}

const examples = `
Examples:
  agent-statecharts draw workflow.json -o workflow.svg
  agent-statecharts draw workflow.json -o workflow.png --all
  agent-statecharts draw workflow.chart.json --format mermaid
  agent-statecharts draw workflow.json -o workflow.ts

svg and png are pictures. mermaid is a stateDiagram-v2, which GitHub renders in a block marked \`mermaid\`. json is the data of the picture.
xstate is TypeScript with setup().createMachine(). scxml is a document for other statechart tools. Without --format, the file extension
selects the format. In a terminal, the default is an SVG file next to the workflow.`

export function addDraw(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("draw")))
    .description("draw a workflow config or a compiled chart")
    .argument(
      "<file>",
      'a workflow config (JSON, YAML, or a folder with a root_agent.yaml) or a compiled chart; "-" is stdin',
    )
    .addOption(
      new Option(
        "--format <format>",
        "output format (default: from the file extension of --out, otherwise mermaid; svg in a terminal)",
      ).choices(drawingFormats),
    )
    .addOption(
      new Option(
        "--detail <what>",
        "agents: agents and conditions; tools: also models, tools and keys; all: also exits, failures and limits; statechart: all states, events, guards and actions",
      )
        .choices(["agents", "tools", "all", "statechart"])
        .default("tools"),
    )
    .option("--all", "same as --detail all")
    .option("--legend", "svg and png: explain the shapes and colors below the drawing")
    .option("--expand", "svg and png: draw all states, without folding")
    .addOption(
      new Option(
        "--direction <direction>",
        "svg, png and mermaid: where the next agent of a sequence is drawn",
      )
        .choices(["down", "right"])
        .default("down"),
    )
    .addOption(
      new Option(
        "--theme <colors>",
        "colors of svg and png; auto follows the viewer's preference (svg only)",
      )
        .choices(["auto", "light", "dark"])
        .default("auto"),
    )
    .option(
      "-o, --out <file>",
      "file of the drawing, or - for stdout (default: stdout; in a terminal, a file next to the workflow)",
    )
    .addHelpText("after", examples)
    .action(async (file: string, options: DrawCommandOptions) => {
      // A person cannot use markup on a screen, so the drawing is written to a file instead.
      const writesFile = options.out === undefined && terminal.isScreen
      const format = options.format ?? (writesFile ? "svg" : formatOf(options.out))
      const out = writesFile ? fileNextTo(file, format) : options.out
      if (format === "png" && (out === undefined || out === "-"))
        throw new UsageProblem(
          "A PNG cannot be printed to a terminal. Write it to a file with -o workflow.png.",
        )
      const chart = await loadChart(file, options, terminal)
      if (chart === null) return exit(exitCodes.invalid)
      const progress = progressLine(terminal)
      const onProgress = (done: number): void =>
        progress.show(`Drawing ${oneLine(file)}, ${Math.round(done * 100)} %`)
      const drawing =
        format === "png"
          ? await drawPng(chart, options, onProgress)
          : await drawText(chart, format, options, onProgress)
      progress.clear()
      if (typeof drawing === "string") await writeResult(drawing, out, terminal)
      else await writeTo(out ?? "", drawing)
      if (writesFile && out !== undefined)
        terminal.print(`Written to ${oneLine(out)}. To print the drawing instead, add -o -`)
      return exit(exitCodes.ok)
    })
}

/** Receives the progress of the drawing, a number from 0 to 1. */
type OnProgress = (done: number) => void

async function drawText(
  chart: AgentChart,
  format: Exclude<DrawingFormat, "png">,
  options: DrawCommandOptions,
  onProgress: OnProgress,
): Promise<string> {
  const { drawMermaid, drawPicture, drawScxml, drawSvg, drawXstate } =
    await import("../../drawing/index.js")
  const detail = detailOf(options)
  switch (format) {
    case "svg":
      return drawSvg(chart, { ...pictureOptions(options), theme: options.theme, onProgress })
    case "mermaid":
      return drawMermaid(chart, { detail, direction: options.direction })
    case "json":
      return `${safeJson(drawPicture(chart, { detail }), 2)}\n`
    case "xstate":
      return drawXstate(chart)
    case "scxml":
      return drawScxml(chart)
  }
}

/**
 * Draws the chart as a PNG. The theme `auto` uses the light colors, because a PNG cannot adapt to
 * the viewer's preference.
 */
async function drawPng(
  chart: AgentChart,
  options: DrawCommandOptions,
  onProgress: OnProgress,
): Promise<Uint8Array> {
  const { drawSvg } = await import("../../drawing/index.js")
  const { svgToPng } = await import("../workflow/svg-to-png.js")
  return svgToPng(
    await drawSvg(chart, {
      ...pictureOptions(options),
      theme: options.theme === "dark" ? "dark" : "light",
      onProgress,
    }),
  )
}

const pictureOptions = (options: DrawCommandOptions): SvgOptions => ({
  detail: detailOf(options),
  direction: options.direction,
  expand: options.expand === true,
  legend: options.legend === true,
})

const detailOf = ({ all, detail }: DrawCommandOptions): DrawingDetail =>
  all === true ? "all" : detail
