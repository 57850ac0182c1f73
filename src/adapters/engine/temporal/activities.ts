import type * as TemporalActivity from "@temporalio/activity"
import type { CallIdentity, Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallServices } from "../../../runtime/host/call-services.js"
import { callPerformer } from "../../../runtime/host/call-performer.js"
import { enginePackage } from "../engine-package.js"
import { storableEnvelope } from "../storable-envelope.js"
import type { TemporalActivities } from "./names.js"

/** How long host code that waits at a step is kept by a worker that hears no more of its run; afterwards it runs again from its start. */
const keptMs = 600_000

/**
 * The activities of a worker: the calls of runs, carried out in its process. A service that fails is a result like any other;
 * an activity fails only where the call was stopped, or where the worker shuts down.
 *
 * @throws AgentStatechartsError `package_missing`.
 */
export function temporalActivities(services: CallServices): TemporalActivities {
  // The package says by its types what it exports.
  const { Context } = enginePackage(
    "@temporalio/activity",
    "1.24.0",
    "adapters/engine/temporal",
  ) as typeof TemporalActivity
  const performer = callPerformer(services)
  const suspended = new Map<string, NodeJS.Timeout>()

  const perform = async (call: LeafCall): Promise<Envelope> => {
    const context = Context.current()
    // A heartbeat is how the worker hears that the call was stopped.
    const beating = setInterval(
      () => context.heartbeat(),
      Math.max((context.info.heartbeatTimeoutMs ?? 15_000) / 5, 20),
    )
    try {
      const result = await performer.perform(call, context.cancellationSignal)
      // No result: it was aborted, which `cancelled` tells by rejecting.
      return result === null ? await context.cancelled : storableEnvelope(result)
    } finally {
      clearInterval(beating)
    }
  }

  const callHost = async (call: LeafCall): Promise<Envelope> => {
    const { runId } = (call.input as { readonly request: CallIdentity }).request
    clearTimeout(suspended.get(runId))
    try {
      return await perform(call)
    } finally {
      const forget = setTimeout(() => {
        suspended.delete(runId)
        performer.release(runId)
      }, keptMs)
      suspended.set(runId, forget.unref())
    }
  }

  return {
    missingServices: async (chart) => performer.missing(chart),
    callModel: perform,
    callTool: perform,
    callHost,
  }
}
