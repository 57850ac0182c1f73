import type { Command } from "commander"
import type { PruneOptions } from "../../../runtime/journal/prune-runs.js"
import { endedStatuses, pruneRuns } from "../../../runtime/journal/prune-runs.js"
import type { ExitCode } from "../../terminal/exit-codes.js"
import { exitCodes } from "../../terminal/exit-codes.js"
import { UsageProblem } from "../../errors/usage-problem.js"
import { parseAge } from "../../options/parse-age.js"
import type { JournalOption } from "../../options/run-options.js"
import { withJournal } from "../../options/run-options.js"
import { progressLine } from "../../progress/progress-line.js"
import { findRun } from "../../run/find-run.js"
import { openJournal } from "../../run/open-journal.js"
import type { Terminal } from "../../terminal/terminal.js"
import { oneLine, safeJson } from "../../terminal/untrusted-text.js"

interface PruneCommandOptions extends JournalOption {
  readonly olderThan: number
  readonly status?: NonNullable<PruneOptions["statuses"]>
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function addDeleteCommands(
  runs: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withJournal(runs.command("delete"))
    .description("delete stored runs; fails for a run that a process executes")
    .argument("<run...>", "ids of the runs, or their first characters")
    .action(async (given: readonly string[], options: JournalOption) => {
      const opened = await openJournal(options, terminal)
      try {
        const found = await Promise.all(given.map(async (run) => findRun(run, opened, options)))
        for (const { header } of found) await opened.journal.delete(header.runId)
        await opened.compact()
        for (const { header } of found) terminal.print(`deleted ${oneLine(header.runId)}`)
      } finally {
        await opened.close()
      }
      exit(exitCodes.ok)
    })

  withJournal(runs.command("prune"))
    .description("delete the runs that ended some time ago, with their child runs")
    .requiredOption(
      "--older-than <age>",
      "age since the end of a run: 90m, 12h, 30d or 2w",
      parseAge,
    )
    .option("--status <list>", `only runs with these statuses (default: all)`, parseStatuses)
    .option("--dry-run", "print the runs, but do not delete them")
    .option("--json", "print JSON")
    .action(async (options: PruneCommandOptions) => {
      await prune(options, terminal)
      exit(exitCodes.ok)
    })
}

async function prune(options: PruneCommandOptions, terminal: Terminal): Promise<void> {
  const { olderThan, status, dryRun = false, json = false } = options
  const { journal, compact, close } = await openJournal(options, terminal)
  const line = progressLine(terminal)
  try {
    const report = await pruneRuns(journal, {
      endedBefore: Date.now() - olderThan,
      ...(status !== undefined && { statuses: status }),
      dryRun,
      onProgress: ({ done, runs }) => line.show(`${done} of ${runs} runs deleted`),
    })
    if (!dryRun && report.runIds.length > 0) {
      line.show("returning disk space to the file system")
      await compact()
    }
    line.clear()
    if (json) return terminal.print(safeJson({ ...report, dryRun }, 2))
    if (dryRun) for (const runId of report.runIds) terminal.print(oneLine(runId))
    const { length: count } = report.runIds
    terminal.print(
      `${count} ${count === 1 ? "run" : "runs"} ${dryRun ? "would be deleted" : "deleted"}`,
    )
    for (const runId of report.inUse)
      terminal.print(`kept ${oneLine(runId)}: a process executes the run again`)
  } finally {
    line.clear()
    await close()
  }
}

function parseStatuses(text: string): NonNullable<PruneOptions["statuses"]> {
  return text.split(",").map((each) => {
    const status = endedStatuses.find((one) => one === each.trim())
    if (status === undefined)
      throw new UsageProblem(
        `--status must contain only ${endedStatuses.join(", ")}, separated by commas.`,
      )
    return status
  })
}
