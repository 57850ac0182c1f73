import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { Announcement } from "../../machines/contract/run-event.js"
import type { Instance } from "../driver/instance.js"

const none: readonly never[] = []

/** What a run waits for, in the order in which it was asked, and which machine asks. */
export class OpenRequests {
  /** Most runs never wait for anybody. */
  #open: Map<string, { readonly request: PendingRequest; readonly instance: Instance }> | null =
    null
  /** What each machine asks: it may have closed its requests itself when it is stopped. */
  #asked: Map<Instance, Set<string>> | null = null
  /** Requests whose answer is in the queue: stored next, then fed. */
  #claimed: Set<string> | null = null

  get isEmpty(): boolean {
    return this.#open === null || this.#open.size === 0
  }

  /** The requests that an answer may still be given to. */
  all(): readonly PendingRequest[] {
    if (this.#open === null) return none
    const all = Array.from(this.#open.values(), ({ request }) => request)
    return this.#claimed === null ? all : all.filter(({ id }) => !this.isClaimed(id))
  }

  isClaimed(id: string): boolean {
    return this.#claimed?.has(id) ?? false
  }

  /** Its answer enters the queue: from now on the request takes no other answer. */
  claim(id: string): void {
    this.#claimed ??= new Set()
    this.#claimed.add(id)
  }

  /** Its answer has left the queue. A request that is still open then can be answered again. */
  unclaim(id: string): void {
    this.#claimed?.delete(id)
    if (this.#claimed?.size === 0) this.#claimed = null
  }

  pathOf(id: string): string | undefined {
    return this.#open?.get(id)?.request.path
  }

  askedBy(id: string): Instance | undefined {
    return this.#open?.get(id)?.instance
  }

  hear(event: Announcement, instance: Instance): void {
    if (event.type === "human.asked" || event.type === "user.awaited")
      this.#add(event.request, instance)
    else if (
      event.type === "human.answered" ||
      event.type === "user.said" ||
      event.type === "request.expired"
    ) {
      this.#open?.delete(event.id)
      this.#asked?.get(instance)?.delete(event.id)
    }
  }

  #add(request: PendingRequest, instance: Instance): void {
    this.#open ??= new Map()
    this.#asked ??= new Map()
    this.#open.set(request.id, { request, instance })
    const asked = this.#asked.get(instance)
    if (asked === undefined) this.#asked.set(instance, new Set([request.id]))
    else asked.add(request.id)
  }

  /** A machine that is stopped asks no longer. */
  forget(instance: Instance): void {
    for (const id of this.#asked?.get(instance) ?? none) this.#open?.delete(id)
    this.#asked?.delete(instance)
  }

  clear(): void {
    this.#open = null
    this.#asked = null
    this.#claimed = null
  }
}
