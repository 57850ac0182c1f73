import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { Instance } from "../driver/instance.js"

const none: readonly never[] = []

/**
 * The pending requests of a run, oldest first, each with the machine instance that created it. A
 * request stays open until its answer has been processed.
 */
export class OpenRequests {
  /**
   * Open requests by request id. null until the first request, because most runs have no requests.
   */
  #open: Map<string, { readonly request: PendingRequest; readonly instance: Instance }> | null =
    null
  /** Ids of the open requests of each machine instance. */
  #byInstance: Map<Instance, Set<string>> | null = null
  /**
   * Ids of open requests that are marked as answered, because an answer was accepted but is not
   * processed yet.
   */
  #claimed: Set<string> | null = null

  get isEmpty(): boolean {
    return this.#open === null || this.#open.size === 0
  }

  /** Returns the open requests that still accept an answer, oldest first. */
  all(): readonly PendingRequest[] {
    if (this.#open === null) return none
    const all = Array.from(this.#open.values(), ({ request }) => request)
    return this.#claimed === null ? all : all.filter(({ id }) => !this.isClaimed(id))
  }

  isClaimed(id: string): boolean {
    return this.#claimed?.has(id) ?? false
  }

  /**
   * Marks a request as answered, because its answer was accepted. The request then accepts no
   * further answer.
   */
  claim(id: string): void {
    this.#claimed ??= new Set()
    this.#claimed.add(id)
  }

  /**
   * Removes the mark that a request was answered. Called after the answer was processed. If the
   * request is still open, it accepts answers again.
   */
  unclaim(id: string): void {
    this.#claimed?.delete(id)
    if (this.#claimed?.size === 0) this.#claimed = null
  }

  pathOf(id: string): string | undefined {
    return this.#open?.get(id)?.request.path
  }

  instanceOf(id: string): Instance | undefined {
    return this.#open?.get(id)?.instance
  }

  open(request: PendingRequest, instance: Instance): void {
    this.#open ??= new Map()
    this.#byInstance ??= new Map()
    this.#open.set(request.id, { request, instance })
    const ids = this.#byInstance.get(instance)
    if (ids === undefined) this.#byInstance.set(instance, new Set([request.id]))
    else ids.add(request.id)
  }

  /**
   * Closes a request that was answered or has expired. `instance` is the machine that created the
   * request.
   */
  close(id: string, instance: Instance): void {
    this.#open?.delete(id)
    this.#byInstance?.get(instance)?.delete(id)
  }

  /**
   * Closes all requests that a machine instance has created. Called when the instance was stopped.
   */
  closeAll(instance: Instance): void {
    for (const id of this.#byInstance?.get(instance) ?? none) this.#open?.delete(id)
    this.#byInstance?.delete(instance)
  }

  clear(): void {
    this.#open = null
    this.#byInstance = null
    this.#claimed = null
  }
}
