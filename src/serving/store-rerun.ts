import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { CompleteJournal, StoredRun } from "../runtime/journal/journal.js"
import { storeRun } from "../runtime/journal/stored-run.js"
import type { Rerun } from "../runtime/runner/rerun.js"
import { rerunner } from "../runtime/runner/rerun.js"
import { originOf } from "./run-origin.js"
import type { OpenRunServices } from "./run-services.js"

/**
 * Executes a recorded run again with another chart, and stores the result as a new run. Recorded
 * responses are reused until the new run first differs from the recording. All later calls are sent
 * to the services.
 */
export async function storeRerun(
  journal: CompleteJournal,
  stored: StoredRun,
  chart: AgentChart,
  openServices: OpenRunServices,
): Promise<Rerun> {
  const services = await openServices(chart, originOf(stored.header.about))
  try {
    const rerun = await rerunner(chart)(stored, {
      services: services.calls,
      runId: crypto.randomUUID(),
      load: (runId) => journal.load(runId),
    })
    const { after, pending } = rerun
    const { header, records } = rerun.run
    const at = records.at(-1)?.[3] ?? header.at
    const { forkedFrom } = header
    const run =
      forkedFrom === undefined
        ? rerun.run
        : { header: { ...header, forkedFrom: { ...forkedFrom, time: Date.now() } }, records }
    await storeRun(journal, run, { status: after.status, pending, at })
    return { ...rerun, run }
  } finally {
    await services.close()
  }
}
