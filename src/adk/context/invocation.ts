import { AgentStatechartsError } from "../../errors.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import type { HostService, Toolset } from "../../runtime/host/host-service.js"
import { isToolset } from "../../runtime/host/host-service.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import type { Run } from "../../runtime/run/run.js"
import type { Content } from "../events/content.js"
import type { BaseArtifactService } from "../memory/artifact-service.js"
import type { BaseMemoryService } from "../memory/memory-service.js"
import type { ChildRunner, NodePrefix } from "./node-runner.js"
import { childRunnerKey, nodePrefixKey } from "./node-runner.js"
import { stateRecord } from "./state.js"

/**
 * A run that a `Runner` has started, with its session, its services and the user's last message.
 */
export interface Invocation {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  readonly userContent: Content
  readonly memory?: BaseMemoryService
  /** Service that stores the run's artifacts. If absent, artifacts are stored in the session. */
  readonly artifacts?: BaseArtifactService
  /**
   * Rule that replaces the start of node paths. In a child run, the rule converts the node paths of
   * the run to paths in the calling run.
   */
  readonly nodePrefix?: NodePrefix
  /**
   * Input of the child node that this run executes. Absent if the run does not execute a child
   * node. The field `value` is absent if the child node has no input.
   */
  readonly nodeInput?: { readonly value?: unknown }
}

const invocationKey: unique symbol = Symbol("invocation")

/**
 * Returns the session and the services of the run that calls a host function.
 *
 * @param member Name of the context member for the error message.
 * @throws AgentStatechartsError `session_unknown` if the run was not started by a `Runner`.
 */
export function invocationOf(host: HostContext, member: string): Invocation {
  const invocation = (host as { readonly [invocationKey]?: Invocation })[invocationKey]
  if (invocation !== undefined) return invocation
  throw new AgentStatechartsError(
    "session_unknown",
    `"${member}" of a context is only available in runs of a Runner or an InMemoryRunner; use one of them, or store the data in the session state`,
  )
}

/**
 * Returns the session and the services of the run that calls a host function.
 *
 * @throws AgentStatechartsError `session_unknown` if the run was not started by a `Runner`.
 */
export const currentInvocation = (host: HostContext): Invocation => invocationOf(host, "runNode")

/**
 * Returns the artifact service of the `Runner` that started the run, with the key of the session.
 * Returns null if the runner has no artifact service.
 */
export const artifactsOfRun = (host: HostContext): ArtifactsOfRun | null => {
  const invocation = (host as { readonly [invocationKey]?: Invocation })[invocationKey]
  if (invocation?.artifacts === undefined) return null
  const { appName, userId, sessionId, artifacts } = invocation
  return { service: artifacts, key: { appName, userId, sessionId } }
}

export interface ArtifactsOfRun {
  readonly service: BaseArtifactService
  readonly key: SessionKey
}

/** The session of the current run, as callbacks and tools see it. */
export interface ContextSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  /** Live view of the session state. Each property access reads or writes the current value. */
  readonly state: Record<string, unknown>
}

/**
 * Returns the session of the current run. The ids are getters, because only runs of a `Runner` have
 * session ids. In other runs, the getters throw an error that contains the name `member`.
 */
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

/** The active runs of one `Runner` with their sessions, by run id. */
export class Invocations {
  readonly #byRun = new Map<string, Invocation>()
  #children: ChildRunner | undefined

  /**
   * Stores the service that runs child nodes. The contexts of all runs then contain this service.
   */
  provideChildren(children: ChildRunner): void {
    this.#children = children
  }

  /** Stores the session and the last user message of a run. */
  set(runId: string, invocation: Invocation): void {
    this.#byRun.set(runId, invocation)
  }

  /** Removes the data of a run after the run ends. */
  deleteWhenDone({ runId, result }: Pick<Run, "runId" | "result">): void {
    const remove = (): void => void this.#byRun.delete(runId)
    void result.then(remove, remove)
  }

  /**
   * Wraps services so that the contexts that they receive contain the session of the current run.
   */
  wrapServices(
    services: Readonly<Record<string, HostService>>,
  ): Readonly<Record<string, HostService>> {
    return Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, this.#wrap(service)]),
    )
  }

  #wrap(service: HostService): HostService {
    if (isToolset(service)) {
      const toolset: Toolset = {
        list: (host) => service.list(this.#withInvocation(host)),
        call: (host, name, args) => service.call(this.#withInvocation(host), name, args),
      }
      return toolset
    }
    if (typeof service !== "function") return service
    const wrapped: HostFunction = (host, input) => service(this.#withInvocation(host), input)
    return wrapped
  }

  #withInvocation(host: HostContext): HostContext {
    const invocation = this.#byRun.get(host.runId)
    if (invocation === undefined) return host
    // Getters of the context read private fields, so call them on the context and not on the proxy.
    return new Proxy(host, {
      get: (target, key) =>
        key === invocationKey
          ? invocation
          : key === nodePrefixKey
            ? invocation.nodePrefix
            : key === childRunnerKey
              ? this.#children
              : Reflect.get(target, key, target),
      set: (target, key, value) => Reflect.set(target, key, value, target),
    })
  }
}
