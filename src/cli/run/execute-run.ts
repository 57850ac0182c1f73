import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodeOf, exitCodes } from "../errors/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import { readAnswers } from "./answer-script.js"
import { answerCommands, resumeCommand } from "../format/follow-up-commands.js"
import type { OpenInspector } from "./open-inspector.js"
import { openInspector } from "./open-inspector.js"
import type { OpenServices } from "../services/open-services.js"
import { openServices } from "../services/open-services.js"
import type { DriveRunOptions, DriveRunResult } from "./drive-run.js"
import { driveRun } from "./drive-run.js"
import type { RunOptions } from "../options/run-options.js"
import { printPending, printReport } from "../format/print-report.js"
import type { RunView } from "../progress/run-view.js"
import { hanging, oneLine, safeJson, safeText } from "../terminal/untrusted-text.js"

export interface ExecuteRunOptions extends Pick<
  DriveRunOptions,
  "open" | "kept" | "first" | "cancels"
> {
  readonly chart: AgentChart
  readonly options: RunOptions
  /** Whether to ask a user at the terminal. */
  readonly asks: boolean
}

/**
 * Executes a run with the services that the command-line options select, shows its progress, and
 * prints the commands that continue it.
 */
export async function executeRun(
  { chart, kept, options, open, asks, ...how }: ExecuteRunOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const silent = options.json === true || options.quiet === true
  const answers = options.answers === undefined ? [] : await readAnswers(options.answers)
  const services = await openServices(chart, options)
  let inspector: OpenInspector | null = null
  let isOver = false
  try {
    if (options.inspect !== undefined) inspector = await openInspector(options.inspect, terminal)
    if (services.scripted !== null && !silent)
      terminal.print(
        terminal.paint.dim(
          `All calls are answered by ${options.scripted} (scripted, ${services.scripted.url}).`,
        ),
      )
    const view = await viewFor(chart, options, terminal)
    const shown: DriveRunOptions["open"] = async (runner, before) => {
      const run = await open(runner, before)
      if (kept !== null && !silent)
        terminal.print(terminal.paint.dim(`Run ${oneLine(run.runId)}, kept in ${kept.place}.`))
      return run
    }
    const performed = await driveRun(
      {
        ...how,
        ...(inspector === null ? {} : { inspect: inspector.inspect }),
        open: shown,
        kept,
        services,
        view,
        answers,
        asks: asks && terminal.isInteractive && !silent,
      },
      terminal,
    )
    isOver = !performed.wasInterrupted
    printEnd(performed, { kept, options, silent }, terminal)
    if (options.quiet !== true) printExhausted(services, terminal)
    if (performed.result.status !== "waiting" && !performed.wasInterrupted)
      for (const problem of services.problems()) terminal.complain(oneLine(problem))
    return performed.wasInterrupted ? exitCodes.cancelled : exitCodeOf(performed.result.status)
  } finally {
    await services.close()
    await inspector?.close(isOver)
  }
}

function printEnd(
  { result, pending, unused, elapsedMs, wasInterrupted }: DriveRunResult,
  {
    kept,
    options,
    silent,
  }: Pick<ExecuteRunOptions, "kept" | "options"> & { readonly silent: boolean },
  terminal: Terminal,
): void {
  if (wasInterrupted)
    return terminal.complain(
      `\nRun ${oneLine(result.runId)} was stopped and can be resumed. Resume it with: ${resumeCommand(result.runId, options)}`,
    )
  if (!silent) printReport(result, elapsedMs, terminal)
  else if (options.json !== true && result.text !== null) terminal.print(safeText(result.text))
  if (options.quiet === true && result.error !== null)
    terminal.complain(`${result.error.code}: ${hanging(result.error.message)}`)
  if (result.status === "waiting")
    printPending(
      pending,
      (request) => (kept === null ? [] : answerCommands(request, pending, result.runId, options)),
      terminal,
    )
  if (kept !== null && result.error?.code === "journal_failed")
    terminal.complain(
      `The stored records are kept. Fix the cause, then resume the run with: ${resumeCommand(result.runId, options)}`,
    )
  if (unused.length > 0)
    terminal.complain(
      `The last ${unused.length === 1 ? "answer" : `${unused.length} answers`} of ${options.answers} did not match a request.`,
    )
}

async function viewFor(
  chart: AgentChart,
  { json, quiet }: RunOptions,
  terminal: Terminal,
): Promise<RunView> {
  if (json === true) return (await import("../progress/line-views.js")).jsonView(terminal)
  if (quiet === true) return (await import("../progress/run-view.js")).noView
  return terminal.isLive
    ? (await import("../progress/live-tree.js")).liveTree(chart, terminal)
    : (await import("../progress/line-views.js")).lineView(terminal)
}

function printExhausted({ scripted }: OpenServices, { complain }: Terminal): void {
  for (const { kind, id, nth } of scripted?.exhausted ?? [])
    complain(
      `The script has no response for call ${nth + 1} of ${kind === "llm" ? "agent" : "tool"} ${safeJson(id)}.`,
    )
}
