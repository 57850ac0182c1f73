import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import { corrupt } from "../checksums.js"
import { journalFailed } from "../journal-failed.js"
import type { RunCheck } from "../run-check.js"
import { notesOf } from "../run-check.js"
import type { ChartTable } from "./chart-table.js"
import type { RunRow, statements } from "./schema.js"
import { readRow, readRun } from "./read-run.js"

/**
 * Runs the integrity check of SQLite and verifies the checksums of every run. Returns one result
 * for each run, and one for each problem of the whole file.
 */
export function verifyDatabase(
  { prepared }: OpenDatabase<keyof typeof statements>,
  charts: ChartTable,
  file: string,
): readonly RunCheck[] {
  const checks: RunCheck[] = []
  const failed = (location: string, error: unknown): void => {
    const problem = journalFailed(`the journal ${file} cannot be accessed`, error)
    checks.push({ runId: null, location, records: 0, problem, notes: [] })
  }
  try {
    const found = prepared.integrity.all() as readonly { readonly problem: unknown }[]
    const problems = found.map(({ problem }) => storedText(problem, "a problem"))
    if (problems.join() !== "ok")
      throw corrupt(
        `the pages of ${file} are damaged: ${problems.slice(0, 3).join("; ")}. Restore it from a backup`,
      )
  } catch (error) {
    failed(file, error)
  }
  try {
    for (const row of prepared.list.all() as readonly RunRow[]) {
      const location = `run ${row.number} of ${file}`
      try {
        const { runId } = readRow(row, file)
        const { header, records } = readRun(runId, row, prepared, charts, file)
        const notes = notesOf(header, row.tail, location)
        checks.push({ runId, location, records: records.length, problem: null, notes })
      } catch (error) {
        failed(location, error)
      }
    }
  } catch (error) {
    failed(file, error)
  }
  return checks
}
