import type { FileJournal, JournalWarning } from "../../adapters/journal/jsonl/index.js"
import type { Terminal } from "../terminal/terminal.js"
import type { JournalOption } from "../options/run-options.js"
import { hanging } from "../terminal/untrusted-text.js"

export interface OpenJournal {
  readonly journal: FileJournal
  /** Name of the journal in messages: its folder or file. */
  readonly place: string
  close(): void
}

const defaultPlace = ".agent-statecharts/runs"

/**
 * Opens the journal that the options select: a SQLite database if the file extension says so,
 * otherwise a folder of JSON Lines files.
 */
export async function openJournal(
  { journal: given }: JournalOption,
  { complain, paintError }: Pick<Terminal, "complain" | "paintError">,
): Promise<OpenJournal> {
  const onWarning = ({ message }: JournalWarning): void =>
    complain(`${paintError.warning("warning")}: ${hanging(message)}`)
  const place = given === undefined || given === false ? defaultPlace : given
  if (/\.(sqlite3?|db)$/i.test(place)) {
    const { sqliteJournal } = await import("../../adapters/journal/sqlite/index.js")
    const journal = sqliteJournal(place, { onWarning })
    return { journal, place, close: () => journal.close() }
  }
  const { jsonlJournal } = await import("../../adapters/journal/jsonl/index.js")
  const journal = jsonlJournal(place, { onWarning })
  return { journal, place, close() {} }
}
