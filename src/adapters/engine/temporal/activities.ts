import type * as TemporalActivity from "@temporalio/activity"
import type { CallIdentity, Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallServices } from "../../../runtime/host/call-services.js"
import { callPerformer } from "../../../runtime/host/call-performer.js"
import { enginePackage } from "../engine-package.js"
import { storableEnvelope } from "../storable-envelope.js"
import type { TemporalActivities } from "./names.js"

/**
 * Time in milliseconds for which a worker keeps a suspended host function in memory. A host
 * function is a function that you register with the worker. If the run resumes later than this, the
 * function restarts from its beginning.
 */
const suspendedTtlMs = 600_000

/**
 * Creates the activities of a Temporal worker, which execute the model calls, tool calls and other
 * calls of runs in the process of the worker. If a service fails, the activity succeeds and returns
 * the failure as its result. An activity fails only if the call was aborted or the worker shuts
 * down.
 *
 * @throws AgentStatechartsError `package_missing` if the Temporal package is not installed
 */
export function temporalActivities(services: CallServices): TemporalActivities {
  // The cast is safe: the types of the package describe its exports.
  const { Context } = enginePackage(
    "@temporalio/activity",
    "1.24.0",
    "adapters/engine/temporal",
  ) as typeof TemporalActivity
  const performer = callPerformer(services)
  const suspended = new Map<string, NodeJS.Timeout>()

  const perform = async (call: LeafCall): Promise<Envelope> => {
    const context = Context.current()
    // Temporal reports a cancellation to a worker in the response to a heartbeat.
    const heartbeat = setInterval(
      () => context.heartbeat(),
      Math.max((context.info.heartbeatTimeoutMs ?? 15_000) / 5, 20),
    )
    try {
      const result = await performer.perform(call, context.cancellationSignal)
      // The call was aborted and has no result. `cancelled` rejects, which ends the activity.
      return result === null ? await context.cancelled : storableEnvelope(result)
    } finally {
      clearInterval(heartbeat)
    }
  }

  const callHost = async (call: LeafCall): Promise<Envelope> => {
    const { runId } = (call.input as { readonly request: CallIdentity }).request
    clearTimeout(suspended.get(runId))
    try {
      return await perform(call)
    } finally {
      // Another call of the same run may have ended meanwhile.
      clearTimeout(suspended.get(runId))
      const expiryTimer = setTimeout(() => {
        suspended.delete(runId)
        performer.release(runId)
      }, suspendedTtlMs)
      suspended.set(runId, expiryTimer.unref())
    }
  }

  return {
    missingServices: async (chart) => performer.missing(chart),
    callModel: perform,
    callTool: perform,
    callNode: perform,
    callHost,
    callWorkflow: perform,
  }
}
