import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Journal, StoredRun } from "../journal/journal.js"
import type { KeptKeys } from "../driver/kept-keys.js"
import { keyOf } from "../driver/kept-keys.js"
import { describeReplay } from "../history/describe-replay.js"
import { pastRun } from "../history/replayed-run.js"
import { replay } from "../history/replay.js"
import { loadRun, storeRun } from "../journal/stored-run.js"

/**
 * Returns a new run that continues another run with an edited chart. A recorded result is used for
 * the call with the same agent path and call number. The requests may differ, but no recorded
 * result may remain unused. Calls in flight are repeated with their original idempotency keys.
 *
 * This function does not store the new run. If several processes use the journal, call
 * `runner.adopt` instead. It first becomes the owner of the other run, so that no other process
 * executes it.
 *
 * @throws AgentStatechartsError `chart_differs` if a recorded result would not be used,
 * `chart_invalid`, or `input_refused` if `runId` is the id of the other run
 */
export function adopt(
  stored: StoredRun,
  chart: AgentChart,
  { runId }: { readonly runId: string },
): StoredRun {
  const { header, records } = stored
  if (runId === header.runId)
    throw new AgentStatechartsError(
      "input_refused",
      `a run with another chart needs its own id: choose an id other than "${runId}"`,
    )
  const replayed = replay(stored, chart)
  if (replayed.unused.length > 0 || replayed.unaccepted.length > 0) {
    throw new AgentStatechartsError(
      "chart_differs",
      `run "${header.runId}" cannot continue with this chart, because recorded results would be lost:\n${describeReplay(replayed)}`,
    )
  }
  return {
    header: {
      ...header,
      runId,
      chart,
      keptKeys: keysInFlight(stored, runId),
      forkedFrom: { runId: header.runId, at: records.length, chart: header.chart.fingerprint },
    },
    records: replayed.run.records,
  }
}

/**
 * Returns the idempotency keys of a stored run's calls in flight, for a new run with the id `runId`
 * that continues it. Maps the key of a call in the new run to the key with which it was first
 * started. For example, it maps `r2/writer#1` to `r1/writer#1`.
 */
export function keysInFlight({ header, records }: StoredRun, runId: string): KeptKeys {
  const keys: Record<string, string> = {}
  pastRun({
    header,
    past: records,
    start(call) {
      // `pastRun` only starts calls without a recorded result.
      const key = keyOf(call)
      if (key !== null)
        keys[`${runId}${key.slice(header.runId.length)}`] = header.keptKeys?.[key] ?? key
      return () => {}
    },
  })
  return keys
}

/**
 * Creates and stores a run with the id `newId` that continues run `runId` with `chart`. No process
 * owns the new run afterwards, so any process can resume it.
 *
 * @throws AgentStatechartsError `run_unknown`, `run_owned` if another process executes run `runId`,
 * `run_exists`, and the errors of `adopt`
 */
export async function storeAdopted(
  journal: Journal,
  {
    runId,
    chart,
    newId,
  }: { readonly runId: string; readonly chart: AgentChart; readonly newId: string },
): Promise<void> {
  await journal.acquire?.(runId)
  try {
    await storeRun(journal, adopt(await loadRun(journal, runId), chart, { runId: newId }))
  } finally {
    await journal.release?.(runId)
  }
}
