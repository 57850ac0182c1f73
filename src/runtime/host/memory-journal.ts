import { AgentStatechartsError } from "../../errors.js"
import type { Journal, JournalHeader, JournalRecord, StoredRun } from "../journal.js"

export interface MemoryJournal extends Journal {
  /** All runs as plain JSON, which another `memoryJournal` can be made from. */
  toJSON(): Readonly<Record<string, StoredRun>>
}

/** Keeps runs in this process only. With the JSON of another one it starts with that one's runs. */
export function memoryJournal(stored: Readonly<Record<string, StoredRun>> = {}): MemoryJournal {
  const runs = new Map<string, { readonly header: JournalHeader; readonly records: JournalRecord[] }>()
  for (const [runId, { header, records }] of Object.entries(stored)) runs.set(runId, { header, records: [...records] })
  return {
    create(header) {
      if (runs.has(header.runId)) throw new AgentStatechartsError("run_exists", `there is already a run "${header.runId}"; resume it or choose another id`)
      runs.set(header.runId, { header, records: [] })
    },
    append(runId, record) {
      const run = runs.get(runId)
      if (run === undefined) throw new AgentStatechartsError("run_unknown", `there is no run "${runId}" in this journal`)
      run.records.push(record)
    },
    load: (runId) => runs.get(runId) ?? null,
    toJSON: () => Object.fromEntries(runs),
  }
}
