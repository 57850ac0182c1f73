import type { JournalWarning } from "../../adapters/journal/jsonl/index.js"
import type { FileJournal } from "../../adapters/journal/jsonl/index.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { orInstall } from "../errors/missing-package.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { Terminal } from "../terminal/terminal.js"
import type { JournalOption } from "../options/run-options.js"
import { hanging } from "../terminal/untrusted-text.js"

/** An open journal with its location. */
export interface OpenJournal {
  readonly journal: StoredJournal
  /** Name of the journal in messages: its folder, file or URL. */
  readonly location: string
  /** Path prefix for files that belong to the journal. */
  readonly filePrefix: string
  close(): Promise<void>
}

/** A journal on disk or in a database. `verify` exists only for journals with checksums. */
export interface StoredJournal extends CompleteJournal, Partial<Pick<FileJournal, "verify">> {
  compact(): void | Promise<void>
}

const defaultLocation = ".agent-statecharts/runs"

/**
 * Opens the journal that the options select: PostgreSQL for a `postgres://` URL, SQLite for a file
 * with the extension `.sqlite`, `.sqlite3` or `.db`, otherwise a folder of JSON Lines files.
 */
export async function openJournal(
  { journal: option }: JournalOption,
  { printError, paintError }: Pick<Terminal, "printError" | "paintError">,
): Promise<OpenJournal> {
  const onWarning = ({ message }: JournalWarning): void =>
    printError(`${paintError.warning("warning")}: ${hanging(message)}`)
  const location = option === undefined || option === false ? defaultLocation : option
  if (/^postgres(ql)?:\/\//.test(location)) return openPostgres(location)
  if (/\.(sqlite3?|db)$/i.test(location)) {
    const { sqliteJournal } = await import("../../adapters/journal/sqlite/index.js")
    const journal = sqliteJournal(location, { onWarning })
    return { journal, location, filePrefix: location, close: async () => journal.close() }
  }
  const { jsonlJournal } = await import("../../adapters/journal/jsonl/index.js")
  const journal = jsonlJournal(location, { onWarning })
  return { journal, location, filePrefix: location, async close() {} }
}

async function openPostgres(location: string): Promise<OpenJournal> {
  // Follow-up commands and process lists contain the option.
  if (!URL.canParse(location) || new URL(location).password !== "")
    throw new UsageProblem(
      "--journal must be a URL without a password, such as postgresql://user@host/database. Pass the password in the environment variable PGPASSWORD.",
    )
  const { postgresJournal } = await import("../../adapters/journal/postgres/index.js").catch(
    orInstall("--journal with PostgreSQL requires a package that is not installed", "pg"),
  )
  const journal = postgresJournal(location)
  return { journal, location, filePrefix: defaultLocation, close: () => journal.close() }
}
