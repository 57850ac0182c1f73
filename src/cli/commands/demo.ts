import { existsSync, readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Command } from "commander"
import { thisPackage } from "../../adapters/package-folder.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { commandName } from "../terminal/command-name.js"
import { createSuggest, didYouMean } from "../../machines/data/suggest.js"
import { loadChart } from "../workflow/load-chart.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeTo } from "../files/write-result.js"

const examplesFolder = join(thisPackage().folder, "examples")
const outFolder = ".agent-statecharts"

const manual = `
A scripted service on localhost responds to all calls of models and tools over HTTP. You need no account and no API key.

Examples:
  agent-statecharts demo
  agent-statecharts demo human-approval
  agent-statecharts demo adk-story-flow
  agent-statecharts demo --list`

export function addDemo(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  program
    .command("demo")
    .description("run an example workflow with scripted responses")
    .argument("[name]", "name of the example", "travel-planner")
    .option("--list", "list the examples with their descriptions")
    .addHelpText("after", manual)
    .action(async (name: string, { list }: { readonly list?: boolean }) => {
      if (list === true) await listExamples(terminal)
      exit(list === true ? exitCodes.ok : await runExample(name, terminal))
    })
}

function exampleNames(): readonly string[] {
  if (!existsSync(examplesFolder))
    throw new UsageProblem(
      `the examples are missing: the folder ${examplesFolder} does not exist. Install the package again.`,
    )
  return readdirSync(examplesFolder)
    .filter((name) => existsSync(join(examplesFolder, name, "scenario.json")))
    .sort()
}

/** Prints the name of each example workflow and the first sentence of its README. */
async function listExamples({ print, paint, isLive, size }: Terminal): Promise<void> {
  const { clip, padTo } = await import("../terminal/column-text.js")
  const names = exampleNames()
  const width = Math.max(...names.map((name) => name.length))
  const room = isLive ? size().columns - width - 3 : Number.POSITIVE_INFINITY
  for (const name of names) {
    const text = await readFile(join(examplesFolder, name, "README.md"), "utf8")
    const [, description = ""] = /^# .*\n+(.*?[.:])(?:\s|$)/.exec(text) ?? []
    const sentence = description.replace(/:$/, ".")
    print(`${padTo(paint.bold(name), width)}  ${clip(sentence, room)}`.trimEnd())
  }
}

async function runExample(name: string, terminal: Terminal): Promise<ExitCode> {
  const names = exampleNames()
  if (!names.includes(name))
    throw new UsageProblem(
      `the example "${name}" does not exist. ${didYouMean(createSuggest()(name, names))}Available examples: ${names.join(", ")}.`,
    )
  const { print, paint } = terminal
  const folder = join(examplesFolder, name)
  const chart = await loadChart(
    existsSync(join(folder, "root_agent.yaml")) ? folder : join(folder, "workflow.json"),
    {},
    terminal,
  )
  if (chart === null) return exitCodes.invalid
  const { drawMermaid } = await import("../../drawing/index.js")
  const files = {
    chart: join(outFolder, `${name}.chart.json`),
    drawing: join(outFolder, `${name}.mmd`),
  }
  await writeTo(files.chart, `${JSON.stringify(chart, null, 2)}\n`)
  await writeTo(files.drawing, drawMermaid(chart))

  const answers = join(folder, "answers.json")
  const services = join(folder, "services.mjs")
  const { playScenario } = await import("../run/play-scenario.js")
  const code = await playScenario(
    name,
    chart,
    {
      scenario: join(folder, "scenario.json"),
      ...(existsSync(answers) && { answers }),
      ...(existsSync(services) && { services }),
    },
    terminal,
  )
  print(
    `\n${paint.bold("Files")}\n  ${files.chart}  the statechart\n  ${files.drawing}  its drawing, in Mermaid`,
  )
  print(
    `\n${paint.bold("Next steps")}\n  ${commandName()} init my-agents  create your own workflow\n  ${commandName()} studio          edit and watch workflows in the browser\n  ${commandName()} demo --list     list the other examples`,
  )
  return code
}
