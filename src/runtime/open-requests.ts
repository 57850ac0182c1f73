import type { PendingRequest } from "../machines/pending-request.js"
import type { Announcement } from "../machines/run-event.js"
import type { Instance } from "./instance.js"

/** What a run waits for, in the order in which it was asked, and which machine asks. */
export class OpenRequests {
  readonly #open = new Map<string, { readonly request: PendingRequest; readonly instance: Instance }>()

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  all(): readonly PendingRequest[] {
    return [...this.#open.values()].map(({ request }) => request)
  }

  pathOf(id: string): string | undefined {
    return this.#open.get(id)?.request.path
  }

  askedBy(id: string): Instance | undefined {
    return this.#open.get(id)?.instance
  }

  hear(event: Announcement, instance: Instance): void {
    if (event.type === "human.asked" || event.type === "user.awaited") this.#open.set(event.request.id, { request: event.request, instance })
    else if (event.type === "human.answered" || event.type === "user.said" || event.type === "request.expired") this.#open.delete(event.id)
  }

  /** A machine that is stopped asks no longer. */
  forget({ machine, context }: Instance): void {
    for (const { id } of machine.program.kind.pending(context)) this.#open.delete(id)
  }

  clear(): void {
    this.#open.clear()
  }
}
