import type { HostRequest } from "../../machines/contract.js"
import type { HostResult } from "./host-coroutine.js"
import { HostCoroutine } from "./host-coroutine.js"
import type { HostService } from "./host-service.js"
import { asFunction } from "./host-service.js"

/** Runs host functions, keeping those that wait at a step; a function that is not there any more runs again from its start. */
export interface HostCode {
  run(request: HostRequest, signal: AbortSignal): Promise<HostResult>
  /** Drops what still waits of a run that has ended. */
  release(runId: string): void
}

export function hostCode(services: Readonly<Record<string, HostService>>): HostCode {
  const waiting = new Map<string, { readonly runId: string; readonly coroutine: HostCoroutine }>()
  return {
    async run(request, signal) {
      const { idempotencyKey: key, service, steps, runId } = request
      const registered = Object.hasOwn(services, service) ? services[service] : undefined
      if (registered === undefined) {
        return { ok: false, error: { code: "service_missing", message: `the service "${service}" is not registered`, retryable: false } }
      }
      const known = waiting.get(key)?.coroutine
      const last = steps.at(-1)
      const goesOn = known !== undefined && last !== undefined && known.steps === steps.length - 1
      const coroutine = goesOn ? known : new HostCoroutine(asFunction(registered), request)
      const stretch = goesOn ? known.resume(last) : coroutine.stretch()
      waiting.set(key, { runId, coroutine })
      const abort = (): void => {
        waiting.delete(key)
        coroutine.abort(signal.reason)
      }
      signal.addEventListener("abort", abort, { once: true })
      try {
        const result = await stretch
        if (!result.ok || result.value.type === "returned") waiting.delete(key)
        return result
      } finally {
        signal.removeEventListener("abort", abort)
      }
    },
    release(runId) {
      for (const [key, entry] of waiting) {
        if (entry.runId !== runId) continue
        waiting.delete(key)
        entry.coroutine.abort(new DOMException("the run has ended", "AbortError"))
      }
    },
  }
}
