import type { HostRequest } from "../../machines/contract/services.js"
import type { HostResult } from "./host-coroutine.js"
import { HostCoroutine } from "./host-coroutine.js"
import type { HostService } from "./host-service.js"
import { asFunction } from "./host-service.js"

/** Runs host functions, keeping those that wait at a step; a function that is not there any more runs again from its start. */
export interface HostFunctionRunner {
  /** Runs a function up to its end or its next step, and tells what that was; never before this has returned, and not once it was stopped. Returns what stops it. */
  run(request: HostRequest, complete: (result: HostResult) => void): (reason: unknown) => void
  /** Drops what still waits of a run that has ended. */
  release(runId: string): void
}

export function hostFunctionRunner(
  services: Readonly<Record<string, HostService>>,
): HostFunctionRunner {
  /** By run and by call. */
  const waiting = new Map<string, Map<string, HostCoroutine>>()
  const forget = (runId: string, key: string): void => {
    const ofRun = waiting.get(runId)
    ofRun?.delete(key)
    if (ofRun?.size === 0) waiting.delete(runId)
  }
  return {
    run(request, complete) {
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
                message: `the service "${service}" is not registered`,
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
      const goesOn = known !== undefined && last !== undefined && known.steps === steps.length - 1
      const coroutine = goesOn ? known : new HostCoroutine(asFunction(registered), request)
      const stretch = goesOn ? known.resume(last) : coroutine.stretch()
      void stretch.then((result) => {
        if (isStopped) return
        if (result.ok && result.value.type !== "returned") keep(runId, key, coroutine)
        else forget(runId, key)
        complete(result)
      })
      return (reason) => {
        isStopped = true
        forget(runId, key)
        coroutine.abort(reason)
      }
    },
    release(runId) {
      const left = waiting.get(runId)
      waiting.delete(runId)
      for (const coroutine of left?.values() ?? [])
        coroutine.abort(new DOMException("the run has ended", "AbortError"))
    },
  }

  function keep(runId: string, key: string, coroutine: HostCoroutine): void {
    const ofRun = waiting.get(runId) ?? new Map<string, HostCoroutine>()
    waiting.set(runId, ofRun.set(key, coroutine))
  }
}
