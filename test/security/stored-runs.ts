import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "../../src/adapters/sqlite/connect.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import type { JournalHeader, JournalRecord } from "../../src/runtime/journal/journal.js"
import { temporaryFolder } from "../support/temporary-folder.js"
import { chartOf, llm } from "../support/workflow.js"

export const newPlace = (name: string): string => join(temporaryFolder("damaged-"), name)

export const headerFor = (runId: string): JournalHeader => ({
  format: 1,
  runId,
  chart: chartOf([llm("one")]),
  input: { prompt: "Go.", state: {} },
  at: 1,
})
export const records: readonly JournalRecord[] = [
  [0, true, { pay: 1000 }, 2],
  [1, true, { pay: 2000 }, 3],
  [2, true, { pay: 3000 }, 4],
]

/** Creates a SQLite file with two runs of three records each, and executes `sql` on it. */
export async function changed(sql: string): Promise<string> {
  const place = newPlace("runs.sqlite")
  const journal = sqliteJournal(place)
  for (const runId of ["r", "s"]) {
    await journal.create(headerFor(runId))
    for (const record of records) await journal.append(runId, record)
    await journal.note(runId, { status: "waiting", pending: [], at: 5 })
  }
  const database = connect(place)
  database.exec(sql)
  database.close()
  return place
}

/** Creates a JSON Lines file with a header and three records, without an owner, and changes its lines with `change`. */
export async function rewritten(
  change: (lines: readonly string[]) => readonly string[],
): Promise<string> {
  const place = newPlace("runs")
  const journal = jsonlJournal(place)
  await journal.create(headerFor("r"))
  for (const record of records) await journal.append("r", record)
  await journal.release("r")
  const file = join(place, "r.jsonl")
  writeFileSync(file, change(readFileSync(file, "utf8").split("\n")).join("\n"))
  return place
}

/** Returns the code of the error that `act` throws, or null if it throws no error. */
export const codeOf = (act: () => unknown): unknown => {
  try {
    act()
    return null
  } catch (error) {
    return (error as { readonly code?: unknown }).code
  }
}
