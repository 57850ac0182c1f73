import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope, HostRequest } from "../../machines/contract/services.js"
import type { RunError } from "../../machines/contract/run-event.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import type { Clock, LeafCall } from "../driver/host.js"
import { localHost } from "./local-host.js"
import type { CallServices } from "./call-services.js"
import { systemClock } from "./system-clock.js"
import { missingServices } from "./missing-services.js"

/** Executes the calls of runs in this process, for a durable execution engine such as Temporal. */
export interface CallPerformer {
  /**
   * Executes a call and resolves to its result, or to null if `signal` was aborted. Never rejects.
   * If the call fails, the result contains the error.
   */
  perform(call: LeafCall, signal: AbortSignal): Promise<Envelope | null>
  /**
   * Aborts the host functions (functions that your program registers) of a run that wait for the
   * result of a step. Call this method when the run has ended.
   */
  release(runId: string): void
  /**
   * Returns an error if the chart needs services that are not registered. Also returns an error if
   * it calls other workflows or remote agents. Returns null if a durable execution engine can
   * execute the chart.
   */
  missing(chart: AgentChart): RunError | null
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

/**
 * Returns an error if a chart calls other workflows or remote agents, because durable execution
 * engines cannot execute such calls. Returns null for all other charts.
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
 * Returns the id of the run that calls a host function. Returns null if the call is not a call of a
 * host function.
 */
const hostRunId = ({ src, input }: LeafCall): string | null =>
  // The cast is safe: the chart creates the input of every call.
  src === "callHost" ? (input as { readonly request: HostRequest }).request.runId : null

/**
 * Creates a `CallPerformer`, which executes the calls of runs with the given services, for a
 * durable execution engine. `clock` is used for timeouts.
 */
export function callPerformer(services: CallServices, clock: Clock = systemClock): CallPerformer {
  const host = localHost(services, clock)
  return {
    now: () => clock.now(),
    missing: (chart) => refusedCalls(chart) ?? missingServices(chart, services),
    release: (runId) => host.release?.(runId),
    perform: (call, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        // An engine may stop a call in this process and repeat it in another process. The function
        // then receives the error `run_suspended`.
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
