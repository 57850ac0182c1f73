import type { Command } from "commander"
import type { DeletedUser } from "../../runtime/session/delete-user.js"
import { deleteUser } from "../../runtime/session/delete-user.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { counted } from "../format/counted.js"
import type { JournalOption } from "../options/run-options.js"
import { withJournal } from "../options/run-options.js"
import { progressLine } from "../progress/progress-line.js"
import { openJournal } from "../run/open-journal.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"

interface DeleteUserCommandOptions extends JournalOption {
  readonly app?: string
  readonly includeOpen?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

const manual = `
A run belongs to the user of its session. Runs without a session belong to no user; delete them with agent-statecharts runs delete.
Stop the processes that execute runs of the user first. A run that a process owns is kept, and the exit code is then 1.
The cache for model responses is emptied for all users, because it does not store to whom a response belongs.

Examples:
  agent-statecharts users delete ann --dry-run
  agent-statecharts users delete ann --journal runs.sqlite --include-open`

/** Adds the command `users delete`, which deletes all stored data of a user. */
export function addUsers(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  const users = program.command("users").description("delete all stored data of a user")
  withJournal(users.command("delete"))
    .description(
      "delete the sessions of a user, with their state, history, artifacts, memory and runs",
    )
    .argument("<user>", "id of the user (userId of the sessions)")
    .option("--app <name>", "only sessions of this app (default: all apps)")
    .option("--include-open", "also delete runs that have not ended; their agents do not continue")
    .option("--dry-run", "print what would be deleted, but delete nothing")
    .option("--json", "print JSON")
    .addHelpText("after", manual)
    .action(async (userId: string, options: DeleteUserCommandOptions) =>
      exit(await deleteStoredUser(userId, options, terminal)),
    )
}

async function deleteStoredUser(
  userId: string,
  options: DeleteUserCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { app, includeOpen = false, dryRun = false, json = false } = options
  const { journal, sessions, memory, responseCache, compact, close } = await openJournal(
    options,
    terminal,
  )
  const line = progressLine(terminal)
  try {
    const report = await deleteUser({
      journal,
      sessions,
      memory,
      responseCache,
      userId,
      ...(app !== undefined && { appName: app }),
      includeOpen,
      dryRun,
      onProgress: ({ step, done, runs }) =>
        line.show(`${done} of ${runs} runs ${step === "searching" ? "searched" : "deleted"}`),
    })
    if (!dryRun) {
      line.show("removing the data from the files")
      await compact()
    }
    line.clear()
    if (json) terminal.print(safeJson({ userId, ...report, dryRun }, 2))
    else printDeletedUser(report, dryRun, terminal)
    const isComplete = report.unreadable.length === 0 && (dryRun || report.inUse.length === 0)
    return isComplete ? exitCodes.ok : exitCodes.failed
  } finally {
    line.clear()
    await close()
  }
}

function printDeletedUser(
  { sessions, sharedKeys, memories, runIds, inUse, openRunIds, unreadable }: DeletedUser,
  dryRun: boolean,
  { print, printError, paintError }: Terminal,
): void {
  const verb = dryRun ? "would be deleted" : "deleted"
  const open = new Set(openRunIds)
  if (dryRun) {
    for (const { appName, sessionId } of sessions)
      print(`session ${oneLine(sessionId)} of app ${oneLine(appName)}`)
    for (const runId of runIds)
      print(`run ${oneLine(runId)}${open.has(runId) ? " (has not ended)" : ""}`)
  }
  print(
    `${counted(sessions.length, "session")}, ${counted(sharedKeys, "shared state key")}, ${counted(memories, "remembered message")} and ${counted(runIds.length, "run")} ${verb}`,
  )
  if (dryRun && open.size > 0)
    print(
      `${counted(open.size, "run")} of them ${open.size === 1 ? "has" : "have"} not ended. To delete ${open.size === 1 ? "it" : "them"}, pass --include-open.`,
    )
  for (const runId of inUse)
    printError(
      `${paintError.warning("warning")}: run ${oneLine(runId)} ${dryRun ? "cannot be deleted while" : "was kept, because"} a process executes it; stop the process${dryRun ? "" : ", then repeat the command"}`,
    )
  for (const runId of unreadable)
    printError(
      `${paintError.warning("warning")}: run ${oneLine(runId)} is damaged, so its user is unknown, and it was kept; delete it with agent-statecharts runs delete`,
    )
}
