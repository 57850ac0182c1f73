import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodeOf } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"

/** Paths of the files that script a run. */
export interface ScenarioFiles {
  readonly scenario: string
  /** JSON file with answers to the pending requests of the run, in order. */
  readonly answers?: string
  /** Module that exports the host functions of the run. */
  readonly services?: string
}

/**
 * Runs a chart with scripted responses and without a journal. Prints the progress and the result.
 */
export async function playScenario(
  title: string,
  chart: AgentChart,
  files: ScenarioFiles,
  terminal: Terminal,
): Promise<ExitCode> {
  const { openServices } = await import("../services/open-services.js")
  const { driveRun } = await import("./drive-run.js")
  const { printPending, printReport } = await import("../format/print-report.js")
  const { readAnswers } = await import("../answers/answer-script.js")
  const { print, paint } = terminal
  const answers = files.answers === undefined ? [] : await readAnswers(files.answers)
  const services = await openServices(chart, {
    scripted: files.scenario,
    ...(files.services !== undefined && { services: files.services }),
  })
  try {
    print(
      `${paint.bold(title)} ${paint.dim(`with scripted responses from ${services.scripted?.url ?? "the scenario"}`)}`,
    )
    if (chart.input.prompt !== null) print(paint.dim(`“${chart.input.prompt}”`))
    print("")
    const view = terminal.isLive
      ? (await import("../progress/live-tree.js")).liveTree(chart, terminal)
      : (await import("../progress/line-views.js")).lineView(terminal)
    const { result, pending, elapsedMs, models } = await driveRun(
      {
        chart,
        open: (runner) => runner.start(chart),
        store: null,
        services,
        policies: {},
        view,
        answers,
        askUser: terminal.isInteractive,
      },
      terminal,
    )
    printReport(result, models, elapsedMs, terminal)
    if (result.status === "waiting") printPending(pending, () => [], terminal)
    return exitCodeOf(result.status)
  } finally {
    await services.close()
  }
}
