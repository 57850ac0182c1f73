import { AgentStatechartsError } from "../../errors.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"
import { isToolset } from "../../runtime/host/host-service.js"
import type { Run } from "../../runtime/run/run.js"
import type { Content } from "../events/content.js"
import { stateRecord } from "./state.js"

/** What a runner of ADK's shape knows of a run: whose it is, and what the user said. */
export interface Invocation {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  readonly userContent: Content
}

const known: unique symbol = Symbol("invocation")

/**
 * The invocation that host code is called in.
 *
 * @throws AgentStatechartsError `session_unknown` in a run of another runner, which has no sessions in ADK's form.
 */
export function invocationOf(host: HostContext, member: string): Invocation {
  const invocation = (host as { readonly [known]?: Invocation })[known]
  if (invocation !== undefined) return invocation
  throw new AgentStatechartsError(
    "session_unknown",
    `"${member}" of a context is only available in runs of a Runner or an InMemoryRunner; use one of them, or store the data in the session state`,
  )
}

/** The session of an invocation, as contexts show it. */
export interface ContextSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  /** Keys are read when they are looked at, so they are never behind the steps of the run. */
  readonly state: Record<string, unknown>
}

/** Its state is that of the run; who it belongs to is asked for when it is read. */
export const contextSession = (host: HostContext, member: string): ContextSession => ({
  state: stateRecord(host.state),
  get id() {
    return invocationOf(host, `${member}.id`).sessionId
  },
  get appName() {
    return invocationOf(host, `${member}.appName`).appName
  },
  get userId() {
    return invocationOf(host, `${member}.userId`).userId
  },
})

/** The invocations of a runner, while they run. */
export class Invocations {
  readonly #byRun = new Map<string, Invocation>()

  /** Remembers whose a run is and what was said last. */
  set(runId: string, invocation: Invocation): void {
    this.#byRun.set(runId, invocation)
  }

  /** Forgets a run when it has ended. */
  forgetAfter({ runId, result }: Pick<Run, "runId" | "result">): void {
    const forget = (): void => void this.#byRun.delete(runId)
    void result.then(forget, forget)
  }

  /** Services whose host code learns in which invocation it is called. */
  around(services: Readonly<Record<string, HostService>>): Readonly<Record<string, HostService>> {
    return Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, this.#informed(service)]),
    )
  }

  #informed(service: HostService): HostService {
    if (isToolset(service)) {
      const toolset: Toolset = {
        list: (host) => service.list(this.#within(host)),
        call: (host, name, args) => service.call(this.#within(host), name, args),
      }
      return toolset
    }
    if (typeof service !== "function") return service
    const informed: HostFunction = (host, input) => service(this.#within(host), input)
    return informed
  }

  #within(host: HostContext): HostContext {
    const invocation = this.#byRun.get(host.runId)
    if (invocation === undefined) return host
    // Getters of the context read private fields, so they are called on the context itself.
    return new Proxy(host, {
      get: (target, key) => (key === known ? invocation : Reflect.get(target, key, target)),
      set: (target, key, value) => Reflect.set(target, key, value, target),
    })
  }
}
