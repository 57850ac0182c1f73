import type { Envelope } from "../../machines/contract/services.js"
import type { Clock, Host, LeafCall, DeltaSink } from "../driver/host.js"
import type { SessionKey } from "../journal/session-store.js"
import { hostFunctionRunner } from "./host-function-runner.js"
import type { Caller, CallServices, ChildCaller } from "./call-services.js"
import { startCall } from "./start-call.js"
import { steadyClock } from "./steady-clock.js"
import { performMachine } from "./user-machine/perform-machine.js"

/** Creates a `Host` that calls the services in this process. */
export const localHost = (services: CallServices, clock: Clock, children?: ChildCaller): Host =>
  new LocalHost({
    services,
    clock,
    host: hostFunctionRunner(services.services ?? {}, performMachine),
    ...(children !== undefined && { children }),
  })

/**
 * Returns a function that creates the host of a run. The hosts share their services, and each host
 * has its own steady clock. `since` is the run's latest known time, in milliseconds since the
 * epoch. `children` executes the calls of WorkflowAgents. It is absent if the run has none.
 * `perform` executes the machines of MachineAgents. It is null if no chart has a MachineAgent.
 * `session` is the session of the run, if it has one.
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
