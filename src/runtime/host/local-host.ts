import type { Clock, Host } from "../host.js"
import { hostCode } from "./host-code.js"
import type { CallServices } from "./start-call.js"
import { startCall } from "./start-call.js"
import { steadyClock } from "./steady-clock.js"

/** Carries runs in this process, each in a time of its own: calls go to the services, time comes from the clock. `since`: the latest moment that is known of the run. */
export function localHosts(services: CallServices, clock: Clock): (since: number) => Host {
  const host = hostCode(services.services ?? {})
  return (since) => {
    const caller = { services, clock: steadyClock(clock, since), host }
    return {
      now: () => caller.clock.now(),
      start: (call, complete) => startCall(call.src, call.input, caller, complete),
      release: (runId) => host.release(runId),
    }
  }
}
