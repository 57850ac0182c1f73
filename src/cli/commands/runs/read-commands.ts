import type { Command } from "commander"
import type { RunSummary, StoredRun } from "../../../runtime/journal/journal.js"
import type { ExitCode } from "../../terminal/exit-codes.js"
import { exitCodes } from "../../terminal/exit-codes.js"
import type { OpenStores } from "../../run/open-journal.js"
import { openJournal } from "../../run/open-journal.js"
import type { JournalOption } from "../../options/run-options.js"
import { journalOption, position, withJournal } from "../../options/run-options.js"
import type { Terminal } from "../../terminal/terminal.js"
import { UsageProblem } from "../../errors/usage-problem.js"
import { oneLine, safeJson } from "../../terminal/untrusted-text.js"

interface ReadOptions extends JournalOption {
  readonly json?: boolean
  readonly status?: string
  readonly at?: number
}

const runStatuses = [
  "running",
  "interrupted",
  "waiting",
  "completed",
  "failed",
  "cancelled",
  "limit",
]

/**
 * Adds the `runs` subcommands that only read stored runs, such as `runs list`. They do not acquire
 * the lease of a run, so they also work while another process executes the run.
 */
export function addReadCommands(
  runs: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  const command = (
    name: string,
    description: string,
    read: (journal: OpenStores, run: string | undefined, options: ReadOptions) => Promise<void>,
  ): Command =>
    withJournal(runs.command(name))
      .description(description)
      .option("--json", "print JSON")
      .action(async (...args: readonly unknown[]) => {
        // commander passes the arguments, then the options, then the command.
        const options = args.at(-2) as ReadOptions
        const journal = await openJournal(options, terminal)
        try {
          await read(
            journal,
            args.length > 2 ? (args[0] as string | undefined) : undefined,
            options,
          )
        } finally {
          await journal.close()
        }
        exit(exitCodes.ok)
      })

  const showAt = async (stored: StoredRun, position: number, json: boolean): Promise<void> => {
    const { runAt } = await import("../../../runtime/index.js")
    const { snapshotLines } = await import("../../format/format-snapshot.js")
    const view = runAt(stored, { at: position })
    if (json) return terminal.print(safeJson(view, 2))
    for (const line of snapshotLines(view, terminal)) terminal.print(line)
  }

  command("list", "list stored runs, newest first", async (journal, _, options) => {
    const { runListLines } = await import("../../format/format-runs.js")
    const { status } = options
    if (status !== undefined && !runStatuses.includes(status))
      throw new UsageProblem(`--status must be one of ${runStatuses.join(", ")}.`)
    const all = (await summaries(journal)).filter(
      (run) => status === undefined || statusOf(run) === status,
    )
    if (options.json === true) return terminal.print(safeJson(all, 2))
    if (all.length === 0)
      return terminal.printError(
        `${journal.location} contains no runs${status === undefined ? "" : ` with the status ${status}`}.`,
      )
    for (const line of runListLines(all, terminal)) terminal.print(line)
  }).option("--status <status>", `only runs with this status: ${runStatuses.join(", ")}`)

  command(
    "show",
    "show the input, status and pending requests of a run",
    async (journal, run = "", options) => {
      const { findRun } = await import("../../run/find-run.js")
      const { runDetailLines } = await import("../../format/format-runs.js")
      const stored = await findRun(run, journal, options)
      if (options.at !== undefined) return showAt(stored, options.at, options.json === true)
      const all = await summaries(journal)
      const { runId: id } = stored.header
      const summary = all.find(({ runId }) => runId === id)
      const children = all.filter(({ calledBy }) => calledBy?.runId === id).reverse()
      if (summary === undefined)
        throw new UsageProblem(
          `the run "${run}" was removed from ${journal.location} while the command was reading it.`,
        )
      const { chart: _chart, ...header } = stored.header
      if (options.json === true)
        return terminal.print(
          safeJson(
            {
              ...header,
              ...summary,
              records: stored.records.length,
              ...(children.length > 0 && { children: children.map(({ runId }) => runId) }),
            },
            2,
          ),
        )
      for (const line of runDetailLines(
        stored,
        summary,
        children,
        journalOption(options),
        terminal,
      ))
        terminal.print(line)
    },
  )
    .argument("<run>", "id of the run, or its first characters")
    .option("--at <n>", "show the run after its first n records; 0 is the start", position)

  command(
    "pending",
    "list pending requests and the commands that answer them",
    async (journal, run, options) => {
      const { findRun } = await import("../../run/find-run.js")
      const { pendingLines } = await import("../../format/format-runs.js")
      const { resumeHint, storedServices } = await import("../../format/follow-up-commands.js")
      const found = run === undefined ? null : await findRun(run, journal, options)
      const only = found?.header.runId ?? null
      const all = await summaries(journal)
      const waiting = all.filter(
        ({ runId, pending }) => (only === null || runId === only) && pending.length > 0,
      )
      if (options.json === true)
        return terminal.print(
          safeJson(
            waiting.flatMap(({ runId, pending }) =>
              pending.map((request) => ({ runId, ...request })),
            ),
            2,
          ),
        )
      if (waiting.length === 0) {
        if (found === null) return terminal.printError("No run has a pending request.")
        const { runId } = found.header
        terminal.printError(`Run ${oneLine(runId)} has no pending request.`)
        const summary = all.find((one) => one.runId === runId)
        const services = storedServices(found.header)
        const followed = { runId, options: journalOption(options), services }
        const hint = summary === undefined ? null : resumeHint(summary, followed)
        if (hint !== null) terminal.printError(hint)
        return
      }
      for (const one of waiting) {
        const stored = await journal.journal.load(one.runId)
        const services = stored === null ? "" : storedServices(stored.header)
        const followed = { runId: one.runId, options: journalOption(options), services }
        for (const line of pendingLines(one, followed, terminal)) terminal.print(line)
      }
    },
  ).argument("[run]", "id of the run, or its first characters (default: all runs)")
}

const summaries = async ({ journal }: OpenStores): Promise<readonly RunSummary[]> =>
  [...(await journal.list())].sort((one, other) => other.startedAt - one.startedAt)

const statusOf = ({ status, owner }: RunSummary): string =>
  status === "running" && owner === null ? "interrupted" : status
