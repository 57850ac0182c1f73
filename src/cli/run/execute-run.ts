import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodeOf, exitCodes } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import { readAnswers } from "../answers/answer-script.js"
import { answerCommands, resumeCommand } from "../format/follow-up-commands.js"
import type { OpenInspector } from "./open-inspector.js"
import { openInspector } from "./open-inspector.js"
import type { RunPage } from "./open-run-page.js"
import type { OpenServices } from "../services/open-services.js"
import { openServices } from "../services/open-services.js"
import type { DriveRunOptions, DriveRunResult } from "./drive-run.js"
import { driveRun } from "./drive-run.js"
import type { RunOptions } from "../options/run-options.js"
import { printPending, printReport } from "../format/print-report.js"
import type { ProgressView } from "../progress/progress-view.js"
import { escapeIndented, oneLine, safeJson, safeText } from "../terminal/untrusted-text.js"

/**
 * Options of {@link executeRun}. They select the run to execute and the interaction with the user.
 */
export interface ExecuteCommandOptions extends Pick<
  DriveRunOptions,
  "open" | "store" | "firstAnswer" | "cancel"
> {
  readonly chart: AgentChart
  readonly options: RunOptions
  /** Whether to prompt the user at the terminal to answer requests of the run. */
  readonly askUser: boolean
}

/**
 * Executes a run with the services that the command-line options select, and returns the exit code.
 * Shows the progress of the run, and prints the commands that resume or answer it.
 */
export async function executeRun(
  { chart, store, options, open, askUser, ...driveOptions }: ExecuteCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const silent = options.json === true || options.quiet === true
  const answers = options.answers === undefined ? [] : await readAnswers(options.answers)
  const { openPolicies } = await import("../services/open-policies.js")
  const policies = (await openPolicies(options))(chart)
  const services = await openServices(chart, options, { hasMemory: store !== null })
  let inspector: OpenInspector | null = null
  let page: RunPage | null = null
  let hasEnded = false
  try {
    if (options.inspectRelay !== undefined)
      inspector = await openInspector(options.inspectRelay, terminal)
    if (options.inspect !== undefined) {
      const { openRunPage } = await import("./open-run-page.js")
      page = await openRunPage(options.inspect, store, options, terminal)
    }
    if (services.scripted !== null && !silent)
      terminal.print(
        terminal.paint.dim(
          `Scripted responses: ${options.scripted}, served at ${services.scripted.url}.`,
        ),
      )
    const view = await viewFor(chart, options, terminal)
    const openAndPrint: DriveRunOptions["open"] = async (runner, before) => {
      const run = await open(runner, before)
      page?.announce(run.runId)
      if (store !== null && !silent && run.snapshot().status !== "failed")
        terminal.print(
          terminal.paint.dim(`Run ${oneLine(run.runId)}, stored in ${store.location}.`),
        )
      return run
    }
    const outcome = await driveRun(
      {
        ...driveOptions,
        chart,
        ...(inspector !== null && { inspect: inspector.inspect }),
        ...(page !== null && { journal: page.journal }),
        open: openAndPrint,
        store,
        services,
        policies,
        view,
        answers,
        askUser: askUser && terminal.isInteractive && !silent,
      },
      terminal,
    )
    hasEnded = !outcome.wasInterrupted
    printEnd(outcome, { store, options, silent }, terminal)
    if (options.quiet !== true) printExhausted(services, terminal)
    if (outcome.result.status !== "waiting" && !outcome.wasInterrupted)
      for (const problem of services.problems()) terminal.printError(oneLine(problem))
    if (outcome.wasInterrupted) return exitCodes.cancelled
    const code = exitCodeOf(outcome.result.status)
    return code === exitCodes.ok && outcome.hasPolicyViolation ? exitCodes.failed : code
  } finally {
    await services.close()
    await inspector?.close(hasEnded && page === null)
    await page?.close(hasEnded)
  }
}

function printEnd(
  { result, pending, unused, elapsedMs, wasInterrupted, models }: DriveRunResult,
  {
    store,
    options,
    silent,
  }: Pick<ExecuteCommandOptions, "store" | "options"> & { readonly silent: boolean },
  terminal: Terminal,
): void {
  if (wasInterrupted)
    return terminal.printError(
      `\nRun ${oneLine(result.runId)} was interrupted. Resume it with: ${resumeCommand({ runId: result.runId, options })}`,
    )
  if (!silent) printReport(result, models, elapsedMs, terminal)
  else if (options.json !== true && result.text !== null) terminal.print(safeText(result.text))
  if (options.quiet === true && result.error !== null)
    terminal.printError(`${result.error.code}: ${escapeIndented(result.error.message)}`)
  if (result.status === "waiting")
    printPending(
      pending,
      (request) =>
        store === null ? [] : answerCommands(request, pending, { runId: result.runId, options }),
      terminal,
    )
  if (store !== null && result.error?.code === "journal_failed")
    terminal.printError(
      `All records before the error are stored. Fix the cause, then resume the run with: ${resumeCommand({ runId: result.runId, options })}`,
    )
  if (unused.length > 0)
    terminal.printError(
      `The last ${unused.length === 1 ? "answer in" : `${unused.length} answers in`} ${options.answers} ${unused.length === 1 ? "was" : "were"} not used, because no request was pending.`,
    )
}

async function viewFor(
  chart: AgentChart,
  { json, quiet }: RunOptions,
  terminal: Terminal,
): Promise<ProgressView> {
  if (json === true) return (await import("../progress/line-views.js")).jsonView(terminal)
  if (quiet === true) return (await import("../progress/progress-view.js")).noView
  return terminal.isLive
    ? (await import("../progress/live-tree.js")).liveTree(chart, terminal)
    : (await import("../progress/line-views.js")).lineView(terminal)
}

function printExhausted({ scripted }: OpenServices, { printError }: Terminal): void {
  for (const { kind, id, nth } of scripted?.exhausted ?? [])
    printError(
      `The scenario has no response for call ${nth + 1} of ${kind === "llm" ? "agent" : "tool"} ${safeJson(id)}.`,
    )
}
