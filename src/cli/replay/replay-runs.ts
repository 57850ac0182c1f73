import { fingerprintWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallServices } from "../../runtime/index.js"
import { loadRun } from "../../runtime/journal/stored-run.js"
import { runConcurrently } from "../../evaluation/run/run-concurrently.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { openFinishedResults } from "../files/finished-results.js"
import { writeResult } from "../files/write-result.js"
import { progressLine } from "../progress/progress-line.js"
import type { OpenStores } from "../run/open-journal.js"
import { openJournal } from "../run/open-journal.js"
import { openServices } from "../services/open-services.js"
import type { Terminal } from "../terminal/terminal.js"
import { safeJson } from "../terminal/untrusted-text.js"
import { loadChart } from "../workflow/load-chart.js"
import { replayLines, replayMarkdown } from "./format-replay.js"
import type { ReplayRunsOptions } from "./replay-options.js"
import type { ReplayedRun, ReplayFailure } from "./replay-report.js"
import { replayedRun, replayReport } from "./replay-report.js"
import { requireJournal, selectRuns } from "./select-runs.js"

/** Executes the recorded runs of a journal with another workflow, and reports the differences. */
export async function replayRuns(
  options: ReplayRunsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  requireJournal(options)
  const chart = await loadChart(options.with, options, terminal)
  if (chart === null) return exitCodes.invalid
  const store = await openJournal(options, terminal)
  const stop = new AbortController()
  const release = terminal.onInterrupt(() => stop.abort())
  try {
    const { runIds, others } = await selectRuns(store, chart.id, options)
    if (others > 0)
      terminal.printError(`${others} runs of other workflows are left out. Select runs with --run.`)
    const { runs, failures } = await executeAll(
      { chart, runIds, store, signal: stop.signal },
      options,
      terminal,
    )
    const inOrder = new Map(
      runIds.flatMap((runId) => {
        const run = runs.get(runId)
        return run === undefined ? [] : [[runId, run] as const]
      }),
    )
    const report = replayReport(chart, inOrder, failures)
    const { json, markdown } = options
    if (json !== undefined)
      await writeResult(`${safeJson(report, 2)}\n`, json === true ? undefined : json, terminal)
    if (markdown !== undefined) await writeResult(replayMarkdown(report), markdown, terminal)
    if (json !== true && json !== "-" && markdown !== "-")
      for (const line of replayLines(report, terminal)) terminal.print(line)
    return stop.signal.aborted ? exitCodes.cancelled : report.exitCode
  } finally {
    release()
    await store.close()
  }
}

interface Work {
  readonly chart: AgentChart
  readonly runIds: readonly string[]
  readonly store: OpenStores
  readonly signal: AbortSignal
}

interface Finished {
  readonly runs: Map<string, ReplayedRun>
  readonly failures: ReplayFailure[]
}

async function executeAll(
  { chart, runIds, store, signal }: Work,
  options: ReplayRunsOptions,
  terminal: Terminal,
): Promise<Finished> {
  const { offline = false, resume, concurrency } = options
  const { rerunner } = await import("../../runtime/index.js")
  const rerun = rerunner(chart)
  const file =
    resume === undefined
      ? null
      : openFinishedResults<ReplayedRun>(resume, [
          fingerprintWithCalls(chart),
          offline,
          options.services,
          options.scripted,
          options.openai,
          options.prices,
        ])
  const progress = progressLine(terminal)
  const services = await openReplayServices(chart, options)
  const finished: Finished = { runs: new Map(), failures: [] }
  const made = { models: 0, tools: 0 }
  try {
    await runConcurrently(runIds, concurrency, async (runId) => {
      if (signal.aborted) return
      const opened = await services.open()
      try {
        const stored = await loadRun(store.journal, runId)
        const name = `${runId} ${stored.records.length}`
        const known = file?.load(name) ?? null
        if (known !== null) return void finished.runs.set(runId, known)
        const load = (id: string) => store.journal.load(id)
        const rerunOptions = { services: opened.calls, offline, signal, load }
        const result = replayedRun(await rerun(stored, rerunOptions))
        // The result of a run that was interrupted is incomplete.
        if (signal.aborted) return
        finished.runs.set(runId, result)
        file?.save(name, result)
        made.models += result.calls.made.models
        made.tools += result.calls.made.tools
      } catch (error) {
        if (!(error instanceof AgentStatechartsError)) throw error
        finished.failures.push({ run: runId, code: error.code, message: error.message })
      } finally {
        await opened.close()
      }
      const done = finished.runs.size + finished.failures.length
      progress.show(
        `${done} of ${runIds.length} runs, ${made.models} model calls and ${made.tools} tool calls made`,
      )
    })
  } finally {
    progress.clear()
    await services.close()
  }
  return finished
}

interface ReplayServices {
  /** Returns the models, tools and other services for executing one run again. */
  open(): Promise<{ readonly calls: CallServices; close(): Promise<void> }>
  close(): Promise<void>
}

/**
 * Opens the services for `replay --with` once for all runs. With a scenario file, opens them for
 * each run, because each run starts at the beginning of the scenario.
 */
async function openReplayServices(
  chart: AgentChart,
  options: ReplayRunsOptions,
): Promise<ReplayServices> {
  if (options.scripted !== undefined)
    return { open: () => openServices(chart, options), close: async () => {} }
  const { calls, close } = await openServices(chart, options)
  return { open: async () => ({ calls, close: async () => {} }), close }
}
