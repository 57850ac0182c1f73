import { evalSetFromRuns } from "../../evaluation/from-runs/eval-set-from-runs.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import { loadRun } from "../../runtime/journal/stored-run.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeResult } from "../files/write-result.js"
import { requireJournal, selectRuns } from "../replay/select-runs.js"
import { openJournal } from "../run/open-journal.js"
import { secretValues } from "../services/secret-values.js"
import type { Terminal } from "../terminal/terminal.js"
import { loadChart } from "../workflow/load-chart.js"
import type { EvalOptions } from "./eval-options.js"
import type { FromJournalOptions } from "./from-journal-options.js"

/**
 * Executes `eval --from-journal`, which writes an eval set from the recorded runs of a workflow.
 */
export async function fromJournalCommand(
  agent: string,
  paths: readonly string[],
  options: EvalOptions & FromJournalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { fromJournal, output, run, status = ["completed"], redact = [], redactKeys } = options
  if (paths.length > 0)
    throw new UsageProblem("--from-journal reads no eval set. Remove the eval sets.")
  if (output === undefined)
    throw new UsageProblem(
      "--from-journal needs a file to write. Pass -o FILE, or -o - for stdout.",
    )
  const journal = typeof fromJournal === "string" ? { journal: fromJournal } : {}
  requireJournal(journal)
  const chart = await loadChart(agent, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  const store = await openJournal(journal, terminal)
  try {
    const { runIds, leftOut } = await selectRuns(store, chart.id, {
      ...journal,
      ...(run !== undefined && { run }),
      status,
    })
    const runs = await Promise.all(runIds.map((runId) => loadRun(store.journal, runId)))
    const { evalSet, leftOut: ended } = evalSetFromRuns(runs, {
      name: options.name ?? chart.id,
      // Commander has checked the names.
      statuses: status as readonly RunStatus[],
      redact: [...redact, ...secretValues(options)],
      redactKeys: redactKeys === undefined ? [] : redactKeys.split(","),
    })
    const count = leftOut + ended.length
    if (count > 0)
      terminal.printError(
        `${count} ${count === 1 ? "run is" : "runs are"} left out, because the status is not ${status.join(" or ")}. Select others with --status.`,
      )
    await writeResult(`${JSON.stringify(evalSet, null, 2)}\n`, output, terminal)
    if (output !== undefined && output !== "-")
      terminal.printError(
        `Wrote ${output} with ${runs.length - ended.length} ${runs.length - ended.length === 1 ? "case" : "cases"}.`,
      )
    return exitCodes.ok
  } finally {
    await store.close()
  }
}
