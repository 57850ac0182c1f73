import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { StoredRun } from "../../runtime/journal/journal.js"
import type { JournalOption, RunOptions } from "../options/run-options.js"
import { journalOption, repeatOptions } from "../options/run-options.js"
import { shellWord } from "../terminal/untrusted-text.js"
import { commandName } from "../terminal/command-name.js"

/** A run, and the options that a command on it needs. */
export interface RunReference {
  readonly runId: string
  readonly options: RunOptions
  /** The options that select the services, if they are not in `options`. */
  readonly services?: string
}

const optionsOf = ({ options, services = "" }: RunReference): string =>
  `${services === "" ? "" : ` ${services}`}${repeatOptions(options)}`

/** Matches options as `shellWord` writes them. Any program can write a journal. */
const quotedOptions = /^(?:--[a-z-]+(?: (?:'[^']*'|(?!-)[\w./:=@~-]+))?(?: |$))+$/

/** Returns the options that select the services of a stored run, or an empty text. */
export function storedServices({ about }: StoredRun["header"]): string {
  const services = about?.["services"]
  return typeof services === "string" && quotedOptions.test(services) ? services : ""
}

/** Returns the command that lists the runs of a journal. */
export const listCommand = (options: JournalOption): string =>
  `${commandName()} runs list${repeatOptions(journalOption(options))}`

/** Returns the command that resumes a run with the options it was started with. */
export const resumeCommand = (run: RunReference): string =>
  `${commandName()} resume ${shellWord(run.runId)}${optionsOf(run)}`

/** Returns the commands that answer a pending request from another terminal. */
export function answerCommands(
  request: PendingRequest,
  open: readonly PendingRequest[],
  run: RunReference,
): readonly string[] {
  const { kind, toolCalls = [] } = request
  const alone = open.filter((other) => other.kind === kind).length === 1
  // An approval names its request, so that it cannot reach a call that is proposed later.
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
