import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { thisPackage } from "../../adapters/package-folder.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodeOf, exitCodes } from "../errors/exit-codes.js"
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
    .option("--list", "list the names of the examples")
    .addHelpText("after", manual)
    .action(async (name: string, { list }: { readonly list?: boolean }) => {
      if (list === true) for (const each of exampleNames()) terminal.print(each)
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

async function runExample(name: string, terminal: Terminal): Promise<ExitCode> {
  const names = exampleNames()
  if (!names.includes(name))
    throw new UsageProblem(
      `the example "${name}" does not exist. Available examples: ${names.join(", ")}.`,
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

  const { openServices } = await import("../services/open-services.js")
  const { driveRun } = await import("../run/drive-run.js")
  const { printPending, printReport } = await import("../format/print-report.js")
  const { readAnswers } = await import("../run/answer-script.js")
  const answersFile = join(folder, "answers.json")
  const answers = existsSync(answersFile) ? await readAnswers(answersFile) : []
  const servicesFile = join(folder, "services.mjs")
  const services = await openServices(chart, {
    scripted: join(folder, "scenario.json"),
    ...(existsSync(servicesFile) ? { services: servicesFile } : {}),
  })
  try {
    print(
      `${paint.bold(name)} ${paint.dim(`with scripted responses from ${services.scripted?.url ?? "the scenario"}`)}`,
    )
    if (chart.input.prompt !== null) print(paint.dim(`“${chart.input.prompt}”`))
    print("")
    const view = terminal.isLive
      ? (await import("../progress/live-tree.js")).liveTree(chart, terminal)
      : (await import("../progress/line-views.js")).lineView(terminal)
    const { result, pending, elapsedMs } = await driveRun(
      {
        open: (runner) => runner.start(chart),
        store: null,
        services,
        view,
        answers,
        askUser: terminal.isInteractive,
      },
      terminal,
    )
    printReport(result, elapsedMs, terminal)
    if (result.status === "waiting") printPending(pending, () => [], terminal)
    print(
      `\n${paint.bold("Files")}\n  ${files.chart}  the statechart\n  ${files.drawing}  its drawing, in Mermaid`,
    )
    return exitCodeOf(result.status)
  } finally {
    await services.close()
  }
}
