import type { CallServices, ChildCaller } from "../host/call-services.js"
import type { Clock } from "../driver/host.js"
import type { JournalHeader } from "../journal/journal.js"
import { runnerParts } from "./runner.js"

/** An executor of workflow calls that keeps the child runs in memory until they end. */
export interface ChildrenInMemory extends ChildCaller {
  /** Suspends all open child runs. */
  close(): Promise<void>
}

/** Creates an executor of workflow calls that keeps the child runs in memory until they end. */
export function childrenInMemory(
  header: Pick<JournalHeader, "chart" | "policies">,
  calls: CallServices,
  clock: Clock,
): ChildrenInMemory {
  const parent = { header, before: () => {}, isLost: () => false, isResumed: false }
  let parts: ReturnType<typeof runnerParts> | null = null
  return {
    call(request, complete, write) {
      parts ??= runnerParts({ ...calls, clock })
      return parts.calledRuns.callerFor(parent).call(request, complete, write)
    },
    async close() {
      await parts?.runner.close()
    },
  }
}
