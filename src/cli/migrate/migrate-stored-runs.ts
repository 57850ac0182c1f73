import { AgentStatechartsError } from "../../errors.js"
import { migrateRuns } from "../../runtime/migration/migrate-runs.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeResult } from "../files/write-result.js"
import { progressLine } from "../progress/progress-line.js"
import { requireJournal } from "../replay/select-runs.js"
import { openJournal } from "../run/open-journal.js"
import type { Terminal } from "../terminal/terminal.js"
import { safeJson } from "../terminal/untrusted-text.js"
import { loadChart } from "../workflow/load-chart.js"
import { migrationLines, migrationReport } from "./migration-report.js"
import type { MigrateRunsOptions } from "./migrate-options.js"

/**
 * Executes the command `migrate`. Migrates the open runs of a journal to an edited workflow, and
 * prints a report.
 */
export async function migrateStoredRuns(
  options: MigrateRunsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { to, workflow, run: runIds, dryRun = false, fork = false, json } = options
  requireJournal(options)
  const chart = await loadChart(to, options, terminal)
  if (chart === null) return exitCodes.invalid
  const { journal, close } = await openJournal(options, terminal)
  const stop = new AbortController()
  const release = terminal.onInterrupt(() => stop.abort())
  const line = progressLine(terminal)
  try {
    const migrated = await migrateRuns(journal, chart, {
      dryRun,
      fork,
      ...(workflow !== undefined && { workflow }),
      ...(runIds !== undefined && { runIds }),
      signal: stop.signal,
      onProgress: ({ done, runs }) =>
        line.show(`${done} of ${runs} runs ${dryRun ? "classified" : "processed"}`),
    }).catch((error: unknown) => Promise.reject(withUsage(error)))
    line.clear()
    const report = migrationReport(chart, migrated, dryRun)
    if (json !== undefined)
      await writeResult(`${safeJson(report, 2)}\n`, json === true ? undefined : json, terminal)
    if (json !== true && json !== "-")
      for (const text of migrationLines(report, terminal)) terminal.print(text)
    return migrated.isComplete ? report.exitCode : exitCodes.cancelled
  } finally {
    line.clear()
    release()
    await close()
  }
}

/**
 * Converts an error about an unknown run, or about a run of another workflow, to a usage error.
 * Returns other errors unchanged.
 */
const withUsage = (error: unknown): unknown =>
  error instanceof AgentStatechartsError &&
  (error.code === "run_unknown" || error.code === "chart_differs")
    ? new UsageProblem(`${error.message}.`)
    : error
