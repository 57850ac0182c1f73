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
 * A new run of an edited chart that goes on where another run stands: what was recorded is mapped by agent path and ordinal. Every answer
 * has to find its place; requests may differ from those that were answered, as that is what an edit is for. A call that was in flight is
 * made again under its old idempotency key. To adopt a run of a journal that others use, use `adopt` of a runner: it acquires the run.
 *
 * @throws AgentStatechartsError `chart_differs` where an answer would be lost, with what would; `chart_invalid`; `input_refused`.
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
  if (replayed.unused.length > 0 || replayed.unheard.length > 0) {
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

/** A run may have been adopted before: then the first key counts. */
function keysInFlight({ header, records }: StoredRun, runId: string): KeptKeys {
  const keys: Record<string, string> = {}
  pastRun({
    header,
    past: records,
    start(call) {
      // The calls of the past that wait for a result.
      const key = keyOf(call)
      if (key !== null)
        keys[`${runId}${key.slice(header.runId.length)}`] = header.keptKeys?.[key] ?? key
      return () => {}
    },
  })
  return keys
}

/**
 * Stores an adopted run. Whoever executes the other run keeps it: that is refused with `run_owned`.
 *
 * @throws AgentStatechartsError `run_unknown`, `run_owned`, `run_exists`, and what `adopt` throws.
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
