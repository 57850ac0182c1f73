import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { memoryJournal } from "agent-statecharts/runtime"

/** The journals by name. `place` is an empty folder for journals that need files. */
export const journals = {
  memory: () => memoryJournal(),
  JSONL: (place) => jsonlJournal(join(place, "runs")),
  SQLite: (place) => sqliteJournal(join(place, "runs.sqlite")),
}

export async function inPlace(act) {
  const place = mkdtempSync(join(tmpdir(), "bench-"))
  try {
    return await act(place)
  } finally {
    rmSync(place, { recursive: true })
  }
}
