import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import type { StoredRun } from "../journal.js"
import { describeReplay } from "./describe-replay.js"
import { replay } from "./replay.js"

/**
 * A new run of an edited chart that goes on where another run stands: what was recorded is mapped by agent path and ordinal. Every answer
 * has to find its place; requests may differ from those that were answered, as that is what an edit is for.
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
      `a run with another chart is a run of its own: give it another id than "${runId}"`,
    )
  const replayed = replay(stored, chart)
  if (replayed.unused.length > 0 || replayed.unheard.length > 0) {
    throw new AgentStatechartsError(
      "chart_differs",
      `run "${header.runId}" cannot go on with this chart, as recorded answers would be lost:\n${describeReplay(replayed)}`,
    )
  }
  return {
    header: {
      ...header,
      runId,
      chart,
      forkedFrom: { runId: header.runId, at: records.length, chart: header.chart.fingerprint },
    },
    records: replayed.run.records,
  }
}
