import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope } from "../../machines/contract/services.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { Clock, LeafCall } from "../driver/host.js"
import { localHost } from "./local-host.js"
import type { CallServices } from "./call-services.js"
import { systemClock } from "./system-clock.js"
import { missingServices } from "./missing-services.js"

/** Executes the calls of runs on an engine, in this process. */
export interface CallPerformer {
  /** Resolves to the result of the call, or to null if the call was aborted. Never rejects. */
  perform(call: LeafCall, signal: AbortSignal): Promise<Envelope | null>
  /** Frees the suspended host functions of a run that has ended. */
  release(runId: string): void
  /** Returns an error that names the missing services of the chart, or null if there are none. */
  missing(chart: AgentChart): RunError | null
  /** Returns the time in milliseconds since the epoch. */
  now(): number
}

/** Creates a performer that calls these services. */
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
