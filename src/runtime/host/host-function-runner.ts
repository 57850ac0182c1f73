import { AgentStatechartsError } from "../../errors.js"
import type { HostRequest } from "../../machines/contract/services.js"
import type { SessionKey } from "../journal/session-store.js"
import type { HostResult } from "./host-coroutine.js"
import { HostCoroutine } from "./host-coroutine.js"
import type { HostService } from "./host-service.js"
import { asFunction } from "./host-service.js"
import type { performMachine } from "./user-machine/perform-machine.js"

/**
 * Executes host functions (functions that your program registers). While a function waits for the
 * result of a step, it stays suspended in memory. If it is no longer in memory, for example after a
 * restart of the process, it runs again from its beginning.
 */
export interface HostFunctionRunner {
  /**
   * Runs a host function until it ends or requests a step, and then calls `complete` with the
   * result. `complete` is called after `run` has returned, and never after the function was
   * stopped. `session` is the session of the run.
   *
   * The returned function stops the host function and aborts its signal with the passed reason.
   */
  run(
    request: HostRequest,
    session: SessionKey | null,
    complete: (result: HostResult) => void,
  ): (reason: unknown) => void
  /**
   * Marks a run as suspended until `release` is called. Functions of the run that are stopped in
   * the meantime are aborted with the error `run_suspended`.
   */
  suspend(runId: string): void
  /** Aborts the suspended functions of a run. Called when the run has ended or was suspended. */
  release(runId: string): void
}

/**
 * Creates a `HostFunctionRunner`. `services` contains all registered services by name. `perform`
 * executes XState machines. It is null if no chart contains a MachineAgent.
 */
export function hostFunctionRunner(
  services: Readonly<Record<string, HostService>>,
  perform: typeof performMachine | null,
): HostFunctionRunner {
  /** Suspended functions by run id, and then by idempotency key. */
  const waiting = new Map<string, Map<string, HostCoroutine>>()
  /** Ids of the runs that are currently suspended. */
  const suspended = new Set<string>()
  const deletePast = (runId: string, key: string): void => {
    const ofRun = waiting.get(runId)
    ofRun?.delete(key)
    if (ofRun?.size === 0) waiting.delete(runId)
  }
  return {
    run(request, session, complete) {
      const { idempotencyKey: key, service, steps, runId } = request
      let isStopped = false
      const registered = Object.hasOwn(services, service) ? services[service] : undefined
      if (registered === undefined) {
        queueMicrotask(() => {
          if (!isStopped)
            complete({
              ok: false,
              error: {
                code: "service_missing",
                message: `the service "${service}" is not registered; register it in the options of the runner: { services: { ${JSON.stringify(service)}: async (input) => ... } }`,
                retryable: false,
              },
            })
        })
        return () => {
          isStopped = true
        }
      }
      const known = waiting.get(runId)?.get(key)
      const last = steps.at(-1)
      const canContinue =
        known !== undefined && last !== undefined && known.steps === steps.length - 1
      const coroutine = canContinue
        ? known
        : new HostCoroutine(asFunction(registered, perform), request, session)
      const segment = canContinue ? known.resume(last) : coroutine.nextSegment()
      void segment.then((result) => {
        if (isStopped) return
        if (result.ok && result.value.type !== "returned") keep(runId, key, coroutine)
        else deletePast(runId, key)
        complete(result)
      })
      return (reason) => {
        isStopped = true
        deletePast(runId, key)
        coroutine.abort(suspensionOf(runId) ?? reason)
      }
    },
    suspend: (runId) => void suspended.add(runId),
    release(runId) {
      const reason = suspensionOf(runId) ?? new DOMException("the run has ended", "AbortError")
      suspended.delete(runId)
      const functions = waiting.get(runId)
      waiting.delete(runId)
      for (const coroutine of functions?.values() ?? []) coroutine.abort(reason)
    },
  }

  /**
   * Returns the error with which the functions of a suspended run are aborted, or null if the run
   * is not suspended.
   */
  function suspensionOf(runId: string): Error | null {
    return suspended.has(runId)
      ? new AgentStatechartsError(
          "run_suspended",
          `run "${runId}" is suspended in this process; the function runs again when the run is resumed`,
        )
      : null
  }

  function keep(runId: string, key: string, coroutine: HostCoroutine): void {
    const ofRun = waiting.get(runId) ?? new Map<string, HostCoroutine>()
    waiting.set(runId, ofRun.set(key, coroutine))
  }
}
