import type { CallServices, ChildCaller } from "../host/call-services.js"
import type { Clock } from "../driver/host.js"
import type { JournalHeader } from "../journal/journal.js"
import { runnerParts } from "./runner.js"

/** Executes calls of other workflows and keeps their child runs in memory until they end. */
export interface ChildrenInMemory extends ChildCaller {
  /** Suspends all open child runs. */
  close(): Promise<void>
}

/**
 * Creates an object that executes calls of other workflows and keeps their child runs in memory
 * until they end. `header` is the header of the calling run.
 */
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
