import { readFileSync } from "node:fs"
import { journalFailed } from "../journal-failed.js"
import type { RunCheck } from "../run-check.js"
import { notesOf } from "../run-check.js"
import { readLines } from "./journal-lines.js"

/**
 * Reads a whole journal file and verifies the checksum of every line. Does not throw. A problem is
 * part of the result.
 */
export function verifyFile(file: string): RunCheck {
  try {
    const found = readLines(readFileSync(file), file)
    if (found === null) {
      const notes = [
        "no header: a crash interrupted the start of the run, so the run does not exist",
      ]
      return { runId: null, location: file, records: 0, problem: null, notes }
    }
    const { header, records, chain, torn } = found
    const cut =
      torn === 0 ? [] : [`the last ${torn} bytes are not a complete record and will be removed`]
    return {
      runId: header.runId,
      location: file,
      records: records.length,
      problem: null,
      notes: [...cut, ...notesOf(header, chain, file)],
    }
  } catch (error) {
    const problem = journalFailed(`the journal file ${file} cannot be read`, error)
    return { runId: null, location: file, records: 0, problem, notes: [] }
  }
}
