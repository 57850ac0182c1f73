import type { Clock, Host } from "../host.js"
import { hostCode } from "./host-code.js"
import type { CallServices } from "./perform-call.js"
import { performCall } from "./perform-call.js"

/** Carries runs in this process: calls go to the services, time comes from the clock. */
export function localHost(services: CallServices, clock: Clock): Host {
  const host = hostCode(services.services ?? {})
  return {
    release: (runId) => host.release(runId),
    now: () => clock.now(),
    start(call, complete) {
      const controller = new AbortController()
      let stopped = false
      void performCall(call.src, call.input, services, host, clock, controller.signal).then((result) => {
        if (!stopped) complete(result)
      })
      return () => {
        stopped = true
        controller.abort(new DOMException("the call was stopped", "AbortError"))
      }
    },
  }
}
