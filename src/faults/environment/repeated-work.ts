import type { CallIdentity, HttpEndpoint } from "../../machines/contract/services.js"
import type { AnswerFault } from "../contract/fault.js"
import { keyIn, type ServiceAttempt } from "./call-log.js"

/** The response of a simulated service to one request, and the delay of the response. */
export interface ServiceWork {
  readonly answer: Promise<unknown>
  /**
   * Returns the delay of the response, in milliseconds. Call it only after `answer` has settled.
   */
  readonly delayMs: () => number
}

type EndpointRequest = CallIdentity & { readonly endpoint: HttpEndpoint | null }

/**
 * Caches responses that are the same in all simulated runs. An attempt with the same key has the
 * same response in every run, so its HTTP request is processed only once. Responses of endpoints
 * with templates are not cached, because they also depend on the state of the run.
 */
export class RepeatedWork {
  readonly #responses = new Map<string, ServiceWork>()
  readonly #hasTemplates = new WeakMap<HttpEndpoint, boolean>()

  find(
    kind: ServiceAttempt["kind"],
    request: CallIdentity,
    fault: AnswerFault | null,
  ): ServiceWork | null {
    return fault === null ? (this.#responses.get(idOf(kind, request)) ?? null) : null
  }

  keep(kind: ServiceAttempt["kind"], request: EndpointRequest, work: ServiceWork): void {
    // Do not cache responses of graph nodes, because they depend on the results of other nodes.
    if (kind !== "node" && !this.#isFilled(request.endpoint))
      this.#responses.set(idOf(kind, request), work)
  }

  #isFilled(endpoint: HttpEndpoint | null): boolean {
    if (endpoint === null) return false
    const known = this.#hasTemplates.get(endpoint)
    if (known !== undefined) return known
    const isFilled = JSON.stringify(endpoint).includes("{{")
    this.#hasTemplates.set(endpoint, isFilled)
    return isFilled
  }
}

const idOf = (kind: ServiceAttempt["kind"], request: CallIdentity): string =>
  `${kind} ${keyIn(request)} ${request.attempt}`
