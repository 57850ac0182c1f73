import type { Clock, Host } from "../host.js"
import { hostCode } from "./host-code.js"
import type { Caller, CallServices } from "./start-call.js"
import { startCall } from "./start-call.js"
import { steadyClock } from "./steady-clock.js"

/** Carries runs in this process: calls go to the services, time comes from the clock. */
export const localHost = (services: CallServices, clock: Clock): Host => hostOf({ services, clock, host: hostCode(services.services ?? {}) })

/** The same for runs that each have a time of their own. `since`: the latest moment that is known of the run. */
export function localHosts(services: CallServices, clock: Clock): (since: number) => Host {
  const host = hostCode(services.services ?? {})
  return (since) => hostOf({ services, clock: steadyClock(clock, since), host })
}

const hostOf = (caller: Caller): Host => ({
  now: () => caller.clock.now(),
  start: (call, complete, live) => startCall(call.src, call.input, caller, complete, live),
  release: (runId) => caller.host.release(runId),
})
