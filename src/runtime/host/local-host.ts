import type { Clock, Host } from "../host.js"
import { hostCode } from "./host-code.js"
import type { CallServices } from "./start-call.js"
import { startCall } from "./start-call.js"

/** Carries runs in this process: calls go to the services, time comes from the clock. */
export function localHost(services: CallServices, clock: Clock): Host {
  const caller = { services, clock, host: hostCode(services.services ?? {}) }
  return {
    now: () => clock.now(),
    start: (call, complete) => startCall(call.src, call.input, caller, complete),
    release: (runId) => caller.host.release(runId),
  }
}
