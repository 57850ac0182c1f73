import { join } from "node:path"
import type { Command } from "commander"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { coverageLines } from "../format/format-coverage.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { progressLine } from "../progress/progress-line.js"
import { loadServices } from "../services/load-services.js"
import type { Terminal } from "../terminal/terminal.js"
import type { TestPlan } from "../test-plan/make-plan.js"
import { commandOf, filesOf, planReport, runReport } from "../test-plan/plan-report.js"
import type { Workflows } from "../../machines/workflow-agent/called-charts.js"
import { chartsWithCalls, workflowNamed } from "../../machines/workflow-agent/called-charts.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { writeTo } from "../files/write-result.js"
import { oneLine, safeJson, shellWord } from "../terminal/untrusted-text.js"
import { wholeNumberBetween } from "../options/whole-number.js"

interface TestPlanOptions extends WorkflowOptions {
  readonly out?: string
  readonly most: number
}

const manual = `
The command searches for scenarios. It runs the workflow and changes one response at a time: texts that conditions compare, failures,
exits, handoffs and answers of people. It checks each scenario with the scripted service. It calls the host functions of --services.

Exit codes:
  0 generated, 2 invalid config or usage

Examples:
  agent-statecharts test-plan workflow.json
  agent-statecharts test-plan workflow.json -o plan`

export function addTestPlan(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("test-plan")))
    .description("generate test scenarios that cover the transitions of a workflow")
    .argument("<file>", "a workflow config or a compiled chart")
    .option(
      "-o, --out <folder>",
      "write one file per scenario and an index.json with the commands that run them, instead of printing JSON",
    )
    .option(
      "--most <runs>",
      "maximum number of runs to try while searching",
      wholeNumberBetween(1, 9_999_999),
      1000,
    )
    .addHelpText("after", manual)
    .action(async (file: string, options: TestPlanOptions) =>
      exit(await plan(file, options, terminal)),
    )
}

async function plan(file: string, options: TestPlanOptions, terminal: Terminal): Promise<ExitCode> {
  const chart = await loadChart(file, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  const { services = {}, workflows = {} } =
    options.services === undefined ? {} : await loadServices(options.services)
  const all = chartsWithCalls(chart, workflows)
  const unknown = missingWorkflow(all, workflows)
  if (unknown !== undefined)
    throw new UsageProblem(
      `the workflow calls the workflow "${unknown}" by name. Export it in workflows of the module that you pass with --services.`,
    )
  const absent = all
    .flatMap((one) => Object.keys(one.services ?? {}))
    .find((name) => !Object.hasOwn(services, name))
  if (absent !== undefined)
    throw new UsageProblem(
      `the workflow needs the host function "${absent}". Pass its module with --services.`,
    )
  const { makePlan } = await import("../test-plan/make-plan.js")
  const progress = progressLine(terminal)
  const planned = { chart, services, workflows }
  const made = await makePlan(planned, options.most, (runs, found) =>
    progress.show(`Planned ${runs} runs, ${found} of them reach something new`),
  )
  progress.clear()
  const report = planReport(chart, made)
  if (options.out === undefined) {
    const scenarios = made.runs.map((run) => ({ ...runReport(run), ...run.script }))
    terminal.print(safeJson({ ...report, scenarios }, 2))
  } else await writePlan(file, chart, made, options.out, options.services)
  for (const line of coverageLines(chart.id, made.coverage, [], false, {
    paint: terminal.paintError,
  }))
    terminal.printError(line)
  for (const { transition, why } of report.missing)
    terminal.printError(`  not covered: ${oneLine(transition)} (${why})`)
  for (const name of made.unsteady)
    terminal.printError(
      `  omitted, because its second run had a different result: ${oneLine(name)}`,
    )
  return exitCodes.ok
}

/**
 * Returns the name of the first workflow that agents call, but that neither the charts nor the
 * `--services` module contain. Returns undefined if all called workflows are available.
 */
const missingWorkflow = (
  charts: readonly AgentChart[],
  registered: Workflows,
): string | undefined =>
  charts.flatMap(({ agents, workflows }) =>
    Object.values(agents).flatMap((agent) =>
      agent.type === "WorkflowAgent" &&
      agent.remote === undefined &&
      workflowNamed(agent.workflow, [workflows, registered]) === undefined
        ? [agent.workflow]
        : [],
    ),
  )[0]

async function writePlan(
  file: string,
  chart: AgentChart,
  made: TestPlan,
  folder: string,
  services: string | undefined,
): Promise<void> {
  const pathOf = (name: string): string => join(folder, name)
  const more = [
    ...(services === undefined ? [] : ["--services", services]),
    "--journal",
    pathOf("runs"),
  ]
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  const scenarios: object[] = []
  const digits = Math.max(2, String(made.runs.length).length)
  for (const [index, run] of made.runs.entries()) {
    const files = filesOf(run, String(index + 1).padStart(digits, "0"))
    for (const one of Object.values(files))
      if (one !== null) await writeTo(pathOf(one.name), json(one.value))
    scenarios.push({ ...runReport(run), command: commandOf(file, chart, files, pathOf, more) })
  }
  const coverage = ["agent-statecharts", "coverage", file, pathOf("runs")].map(shellWord).join(" ")
  await writeTo(pathOf("index.json"), json({ ...planReport(chart, made), scenarios, coverage }))
}
