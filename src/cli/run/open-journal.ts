import type { FileJournal, JournalWarning } from "../../adapters/journal/jsonl/index.js"
import type { Terminal } from "../terminal/terminal.js"
import type { JournalOption } from "../options/run-options.js"
import { hanging } from "../terminal/untrusted-text.js"

/** A journal with its location. */
export interface OpenJournal {
  readonly journal: FileJournal
  /** Name of the journal in messages: its folder or file. */
  readonly location: string
  close(): void
}

const defaultLocation = ".agent-statecharts/runs"

/**
 * Opens the journal that the options select: a SQLite database if the file extension says so,
 * otherwise a folder of JSON Lines files.
 */
export async function openJournal(
  { journal: option }: JournalOption,
  { printError, paintError }: Pick<Terminal, "printError" | "paintError">,
): Promise<OpenJournal> {
  const onWarning = ({ message }: JournalWarning): void =>
    printError(`${paintError.warning("warning")}: ${hanging(message)}`)
  const location = option === undefined || option === false ? defaultLocation : option
  if (/\.(sqlite3?|db)$/i.test(location)) {
    const { sqliteJournal } = await import("../../adapters/journal/sqlite/index.js")
    const journal = sqliteJournal(location, { onWarning })
    return { journal, location, close: () => journal.close() }
  }
  const { jsonlJournal } = await import("../../adapters/journal/jsonl/index.js")
  const journal = jsonlJournal(location, { onWarning })
  return { journal, location, close() {} }
}
