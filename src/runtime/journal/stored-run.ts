import { AgentStatechartsError } from "../../errors.js"
import type { Journal, StoredRun } from "./journal.js"

/** @throws AgentStatechartsError `run_unknown`. */
export async function loadRun(journal: Journal, runId: string): Promise<StoredRun> {
  const stored = await journal.load(runId)
  if (stored === null)
    throw new AgentStatechartsError(
      "run_unknown",
      `the run "${runId}" does not exist in the journal`,
    )
  return stored
}

/** Stores a run that was made from another one. */
export async function storeRun(journal: Journal, { header, records }: StoredRun): Promise<void> {
  await journal.create(header)
  try {
    for (const record of records) await journal.append(header.runId, record)
  } finally {
    await journal.release?.(header.runId)
  }
}
