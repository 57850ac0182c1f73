import type { MigrationReason, MigrationReport, RunMigration } from "../../runtime/index.js"
import { padTo, textWidth } from "../terminal/column-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine } from "../terminal/untrusted-text.js"

type Verdict = RunMigration["verdict"]

/** Result of the command `migrate`, as its option `--json` prints it. */
export interface MigrationOutput {
  readonly version: 1
  /** Id of the edited workflow to which the option `--to` migrates the runs. */
  readonly workflow: string
  readonly fingerprint: string
  readonly dryRun: boolean
  readonly isComplete: boolean
  readonly runs: readonly RunMigration[]
  readonly summary: {
    readonly runs: number
    readonly verdicts: Readonly<Record<Verdict, number>>
    readonly results: Readonly<Record<RunMigration["result"], number>>
    /**
     * For each reason why a run can or cannot be migrated, the number of runs. Reasons without runs
     * are omitted.
     */
    readonly reasons: Readonly<Partial<Record<MigrationReason, number>>>
  }
  readonly exitCode: 0 | 1
}

export function migrationReport(
  { id, fingerprint }: { readonly id: string; readonly fingerprint: string },
  { runs, isComplete }: MigrationReport,
  dryRun: boolean,
): MigrationOutput {
  const verdicts = { current: 0, adoptable: 0, forkable: 0, stays: 0, skipped: 0 }
  const results = { migrated: 0, forked: 0, unchanged: 0 }
  const reasons: Partial<Record<MigrationReason, number>> = {}
  for (const { verdict, result, reason } of runs) {
    verdicts[verdict]++
    results[result]++
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {
    version: 1,
    workflow: id,
    fingerprint,
    dryRun,
    isComplete,
    runs,
    summary: { runs: runs.length, verdicts, results, reasons },
    exitCode: runs.every((run) => hasNewChart(run, dryRun)) ? 0 : 1,
  }
}

/**
 * Returns whether a run uses the edited workflow, has ended, or would be migrated without
 * `--dry-run`.
 */
function hasNewChart({ verdict, reason, result }: RunMigration, dryRun: boolean): boolean {
  if (verdict === "current" || reason === "ended" || result !== "unchanged") return true
  return dryRun && (reason === "same-records" || reason === "same-answers")
}

/** Maximum number of runs that the text report lists. The JSON report lists all runs. */
const listedRuns = 20

/**
 * Formats the result of `migrate` as lines of text. Lists the runs that keep their workflow, the
 * number of runs for each reason, and the totals.
 */
export function migrationLines(
  { runs, summary, dryRun, isComplete }: MigrationOutput,
  { paint }: Pick<Terminal, "paint">,
): readonly string[] {
  if (runs.length === 0)
    return [
      "The journal has no open run of this workflow. To migrate other runs, pass --workflow or --run.",
    ]
  const keeping = runs.filter((run) => !hasNewChart(run, dryRun))
  const rows = [...new Map(runs.map((run) => [run.reason, run] as const)).values()].map(
    ({ verdict, reason }) => [verdict, reason, String(summary.reasons[reason] ?? 0)],
  )
  const all = [
    ["verdict", "reason", "runs"],
    ...rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
  ]
  const widths = [0, 1, 2].map((column) =>
    Math.max(...all.map((row) => textWidth(row[column] ?? ""))),
  )
  const table = all.map((row, index) => {
    const text = row
      .map((cell, column) => padTo(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd()
    return index === 0 ? paint.bold(text) : text
  })
  const { migrated, forked } = summary.results
  const count = runs.length - keeping.length
  return [
    ...keeping
      .slice(0, listedRuns)
      .map(
        ({ runId, verdict, message }) =>
          `${paint.bold(oneLine(runId))}  ${verdict}: ${oneLine(message)}`,
      ),
    ...(keeping.length > listedRuns
      ? [
          `${keeping.length - listedRuns} more runs keep their workflow. To list all of them, pass --json.`,
        ]
      : []),
    ...(keeping.length > 0 ? [""] : []),
    ...table,
    "",
    dryRun
      ? `${count} of ${runs.length} runs can continue with the edited workflow. Nothing was changed.`
      : `${migrated} runs migrated, ${forked} forked, ${summary.results.unchanged} unchanged.`,
    ...(isComplete ? [] : ["The command was interrupted. Run it again to continue."]),
  ]
}
