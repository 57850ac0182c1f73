import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope } from "../../machines/contract/services.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { Clock, LeafCall } from "../driver/host.js"
import { localHost } from "./local-host.js"
import type { CallServices } from "./call-services.js"
import { systemClock } from "./system-clock.js"
import { missingServices } from "./missing-services.js"

/** Carries out the calls of runs that an engine makes durable, in this process. */
export interface CallPerformer {
  /** Settles with what the call came to, or with null when it was aborted, as then nobody wants a result; never rejects. */
  perform(call: LeafCall, signal: AbortSignal): Promise<Envelope | null>
  /** A run has ended: host code of it that is kept suspended may go. */
  release(runId: string): void
  /** Which services the chart needs that are not here; null for none. */
  missing(chart: AgentChart): RunError | null
  /** Milliseconds since the epoch. */
  now(): number
}

export function callPerformer(services: CallServices, clock: Clock = systemClock): CallPerformer {
  const host = localHost(services, clock)
  return {
    now: () => clock.now(),
    missing: (chart) => missingServices(chart, services),
    release: (runId) => host.release?.(runId),
    perform: (call, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        const abort = (): void => {
          stop()
          resolve(null)
        }
        const stop = host.start(call, (result) => {
          signal.removeEventListener("abort", abort)
          resolve(result)
        })
        signal.addEventListener("abort", abort, { once: true })
      }),
  }
}
