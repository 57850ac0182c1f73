import { AgentStatechartsError } from "../../errors.js"
import type { Journal, StoredRun, StoredRunStatus } from "./journal.js"

/**
 * Loads a run from a journal.
 *
 * @throws AgentStatechartsError `run_unknown` if the run does not exist
 */
export async function loadRun(journal: Journal, runId: string): Promise<StoredRun> {
  const stored = await journal.load(runId)
  if (stored === null)
    throw new AgentStatechartsError(
      "run_unknown",
      `the run "${runId}" does not exist in the journal`,
    )
  return stored
}

/**
 * Stores a forked or adopted run with its records, then releases it, so that any process can resume
 * it. Lists of runs show `status`.
 */
export async function storeRun(
  journal: Journal,
  { header, records }: StoredRun,
  status?: StoredRunStatus,
): Promise<void> {
  await journal.create(header)
  try {
    for (const record of records) await journal.append(header.runId, record)
    if (status !== undefined) await journal.note?.(header.runId, status)
  } finally {
    await journal.release?.(header.runId)
  }
}
