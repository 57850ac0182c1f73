import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope, HostRequest } from "../../machines/contract/services.js"
import type { RunError } from "../../machines/contract/run-event.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import type { Clock, LeafCall } from "../driver/host.js"
import { localHost } from "./local-host.js"
import type { CallServices } from "./call-services.js"
import { systemClock } from "./system-clock.js"
import { missingServices } from "./missing-services.js"

/** An executor of the calls that a durable execution engine runs in this process. */
export interface CallPerformer {
  /**
   * Executes a call and resolves to its result, or to null if `signal` was aborted. Never rejects.
   */
  perform(call: LeafCall, signal: AbortSignal): Promise<Envelope | null>
  /** Aborts the suspended host functions of a run. Call it when the run has ended. */
  release(runId: string): void
  /**
   * Returns an error that lists the services that the chart needs and that are not registered.
   * Returns null if all services are registered.
   */
  missing(chart: AgentChart): RunError | null
  /** Returns the time in milliseconds since the epoch. */
  now(): number
}

/**
 * Returns the error of a run whose chart calls other workflows or remote agents, because engines
 * cannot execute them. Returns null for other charts.
 */
function refusedCalls(chart: AgentChart): RunError | null {
  const caller = firstCaller(chart)
  if (caller === null) return null
  const { agent, calls } = caller
  return {
    code: "workflow_calls_unsupported",
    agent,
    message: `agent "${agent}" calls ${calls}, but engines cannot execute child runs or remote tasks; use createRunner with a journal${calls === "another workflow" ? ", or make the agents of that workflow sub-agents of this one" : ""}`,
  }
}

/**
 * Returns the id of the run that calls a host function; null if the call is not a host function
 * call.
 */
const hostRunId = ({ src, input }: LeafCall): string | null =>
  // The cast is safe: the chart creates the input of each call.
  src === "callHost" ? (input as { readonly request: HostRequest }).request.runId : null

/** Creates a performer that executes calls with the given services. */
export function callPerformer(services: CallServices, clock: Clock = systemClock): CallPerformer {
  const host = localHost(services, clock)
  return {
    now: () => clock.now(),
    missing: (chart) => refusedCalls(chart) ?? missingServices(chart, services),
    release: (runId) => host.release?.(runId),
    perform: (call, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        // An engine may stop a call to repeat it in another process.
        const runId = hostRunId(call)
        if (runId !== null) host.suspend?.(runId)
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
