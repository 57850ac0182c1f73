import { AgentStatechartsError } from "../../errors.js"
import { runExists } from "./journal-errors.js"
import type { Journal, StoredRun, StoredRunStatus } from "./journal.js"

/**
 * Loads a run from a journal. Unlike `journal.load`, throws an error if the run does not exist.
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
 * Stores a new run with its records, and then releases it, so that any process can resume it.
 * `status` is the status in lists of runs. If the process is killed before the promise resolves, a
 * journal with the method `store` contains either the complete run or no part of it.
 *
 * @throws AgentStatechartsError `run_exists` if a run with the same id is stored
 */
export async function storeRun(
  journal: Journal,
  run: StoredRun,
  status: StoredRunStatus = { status: "running", pending: [], at: run.header.at },
): Promise<void> {
  const { header, records } = run
  const { runId } = header
  // `store` would replace an existing run that this process owns.
  if (journal.store === undefined) await journal.create(header)
  else if ((await journal.load(runId)) !== null) throw runExists(runId)
  try {
    if (journal.store === undefined) {
      for (const record of records) await journal.append(runId, record)
      await journal.note?.(runId, status)
    } else await journal.store(run, status)
  } finally {
    await journal.release?.(runId)
  }
}
