import type { Envelope } from "../../machines/contract/services.js"
import type { Clock, Host, LeafCall, DeltaSink } from "../driver/host.js"
import type { SessionKey } from "../journal/session-store.js"
import { hostFunctionRunner } from "./host-function-runner.js"
import type { Caller, CallServices, ChildCaller } from "./call-services.js"
import { startCall } from "./start-call.js"
import { steadyClock } from "./steady-clock.js"
import { performMachine } from "./user-machine/perform-machine.js"

/**
 * Creates a `Host`, which makes the external calls of runs by calling `services` in this process.
 * `children` executes the calls of other workflows.
 */
export const localHost = (services: CallServices, clock: Clock, children?: ChildCaller): Host =>
  new LocalHost({
    services,
    clock,
    host: hostFunctionRunner(services.services ?? {}, performMachine),
    ...(children !== undefined && { children }),
  })

/**
 * Returns a function that creates the `Host` of a run, which makes the run's external calls. All
 * hosts share their services, but each host has its own clock that never goes back.
 *
 * `since` is the latest known time of the run in milliseconds since the epoch. `children` executes
 * the calls of other workflows, and is missing if the run makes no such calls. `session` is the
 * session of the run, if it has one. `perform` executes the XState machines of MachineAgents. It is
 * null if no chart contains a MachineAgent.
 */
export function localHosts(
  services: CallServices,
  clock: Clock,
  perform: typeof performMachine | null,
): (since: number, children?: ChildCaller, session?: SessionKey | null) => Host {
  const host = hostFunctionRunner(services.services ?? {}, perform)
  return (since, children, session = null) =>
    new LocalHost({
      services,
      clock: steadyClock(clock, since),
      host,
      session,
      ...(children !== undefined && { children }),
    })
}

class LocalHost implements Host {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  now(): number {
    return this.#caller.clock.now()
  }

  start(call: LeafCall, complete: (result: Envelope) => void, live?: DeltaSink): () => void {
    return startCall(call.src, call.input, this.#caller, complete, live)
  }

  suspend(runId: string): void {
    this.#caller.host.suspend(runId)
  }

  release(runId: string): void {
    this.#caller.host.release(runId)
  }
}
