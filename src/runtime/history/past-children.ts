import type { WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { StoredRun } from "../journal/journal.js"
import { requestOf } from "./compare-requests.js"
import type { PastCalls } from "./past-calls.js"
import { pastCalls } from "./past-calls.js"
import type { PastChild } from "./recorded-children.js"

/**
 * Function that loads a stored run. Returns null, or a promise of null, if the run does not exist.
 */
export type LoadRun = (runId: string) => StoredRun | null | Promise<StoredRun | null>

/**
 * Returns the calls of all child runs that a recorded run has started, directly or through other
 * child runs. Omits child runs that `load` does not find.
 */
export async function pastChildren(past: PastCalls, load: LoadRun): Promise<readonly PastChild[]> {
  const children = new Map<string, PastChild>()
  const add = async (calls: PastCalls["calls"], endsAt: number | null): Promise<void> => {
    for (const { known, position } of calls) {
      if (known.kind !== "workflow") continue
      // The cast is safe: the request of a workflow call always has this type.
      const runId = childRunId(requestOf(known) as unknown as WorkflowRequest)
      const end = endsAt ?? position ?? Number.POSITIVE_INFINITY
      const stored = children.has(runId) ? null : await load(runId)
      if (stored === null) continue
      const child = pastCalls(stored)
      children.set(runId, { runId, past: child, endsAt: end })
      await add(child.calls, end)
    }
  }
  await add(past.calls, null)
  return [...children.values()]
}
