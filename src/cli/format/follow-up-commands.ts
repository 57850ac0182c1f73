import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunSummary, StoredRun } from "../../runtime/journal/journal.js"
import type { JournalOption, RunOptions } from "../options/run-options.js"
import { journalOption, repeatOptions } from "../options/run-options.js"
import { shellWord } from "../terminal/untrusted-text.js"
import { commandName } from "../terminal/command-name.js"

/** A run with its command-line options. Used to format the commands that resume or answer it. */
export interface RunReference {
  readonly runId: string
  readonly options: RunOptions
  /**
   * Service options that are stored with the run, as command-line arguments, for example
   * `--services services.mjs`. Set only if `options` does not contain them.
   */
  readonly services?: string
}

const optionsOf = ({ options, services = "" }: RunReference): string =>
  `${services === "" ? "" : ` ${services}`}${repeatOptions(options)}`

/**
 * Matches only options that `shellWord` has quoted. The options come from a journal, which any
 * program may have written. Unquoted text from a journal must not reach a printed shell command.
 */
const quotedOptions = /^(?:--[a-z-]+(?: (?:'[^']*'|(?!-)[\w./:=@~-]+))?(?: |$))+$/

/**
 * Returns the service options that are stored with a run, as command-line arguments. Returns an
 * empty string if there are none, or if the text is not safe in a printed shell command.
 */
export function storedServices({ about }: StoredRun["header"]): string {
  const services = about?.["services"]
  return typeof services === "string" && quotedOptions.test(services) ? services : ""
}

/** Returns the shell command that lists the runs of a journal. */
export const listCommand = (options: JournalOption): string =>
  `${commandName()} runs list${repeatOptions(journalOption(options))}`

/** Returns the shell command that resumes a run with the options of its start. */
export const resumeCommand = (run: RunReference): string =>
  `${commandName()} resume ${shellWord(run.runId)}${optionsOf(run)}`

/**
 * Returns a hint with the command that resumes an interrupted run, which no process executes.
 * Returns null for all other runs.
 */
export const resumeHint = ({ status, owner }: RunSummary, run: RunReference): string | null =>
  status === "running" && owner === null
    ? `No process executes this run. Resume it with: ${resumeCommand(run)}`
    : null

/**
 * Returns the shell commands that answer a pending request, for the user to run in another
 * terminal.
 */
export function answerCommands(
  request: PendingRequest,
  open: readonly PendingRequest[],
  run: RunReference,
): readonly string[] {
  const { kind, toolCalls = [] } = request
  const alone = open.filter((other) => other.kind === kind).length === 1
  // An approval command contains the id of its request, so that it cannot approve a call that is
  // proposed later.
  const isNamed = kind === "approval" || (kind !== "tool" && !alone)
  const which = isNamed ? ` --request ${shellWord(request.id)}` : ""
  const command = (verb: string, what = ""): string =>
    `${commandName()} runs ${verb} ${shellWord(run.runId)}${what}${which}${optionsOf(run)}`
  switch (kind) {
    case "approval":
      return [command("approve"), command("reject", " --reason 'not now'")]
    case "input":
      return [command("say", " 'your message'")]
    case "human":
      return (request.choices ?? ["your answer"]).map((choice) =>
        command("answer", ` ${shellWord(String(choice))}`),
      )
    case "tool":
      return [command("deliver", ` ${shellWord(toolCalls[0]?.id ?? "CALL")} '{}'`)]
    case "auth":
      return [command("answer", ` '{"secret":"NAME"}'`)]
  }
}
