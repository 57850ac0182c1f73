import type { KnownCall } from "./call-key.js"
import type { PastCalls } from "./past-calls.js"

/** A recorded child run and the calls that it has made. */
export interface PastChild {
  readonly runId: string
  readonly past: PastCalls
  /** Position of the child run's end in the journal of the run that called it. */
  readonly endsAt: number
}

/**
 * The child runs of a recorded run. The calls of the corresponding child runs of a new run receive
 * their recorded results.
 */
export class RecordedChildren {
  /**
   * The recorded child runs by child run id. The ids do not include their prefix, which is the id
   * of the recorded run.
   */
  readonly #children: ReadonlyMap<string, PastChild>
  /** Id of the new run, which is the prefix of its child runs' ids; null before its first call. */
  #otherId: string | null = null

  readonly #keysAs: string

  /** `keysAs` replaces the id of the recorded run in the ids of child runs that are executed. */
  constructor(runId: string, keysAs: string, children: readonly PastChild[]) {
    this.#keysAs = keysAs
    this.#children = new Map(children.map((child) => [child.runId.slice(runId.length + 1), child]))
  }

  /**
   * Returns the id of the child run that makes a call, without its prefix (the id of the calling
   * run). Returns null if the new run makes the call itself. The first call is always a call of the
   * new run.
   */
  of(input: unknown): string | null {
    const { request } = input as { readonly request?: { readonly runId: string } }
    if (request === undefined) return null
    const { runId } = request
    this.#otherId ??= runId
    if (runId === this.#otherId) return null
    const caller = runId.startsWith(`${this.#keysAs}/`) ? this.#keysAs : this.#otherId
    return runId.slice(caller.length + 1)
  }

  /** Like `PastCalls.find`, but searches the recorded calls of the child run `child`. */
  find(child: string, known: KnownCall): ReturnType<PastCalls["find"]> {
    const recorded = this.#children.get(child)
    if (recorded === undefined) return { differs: ["call"] }
    const found = recorded.past.find(known)
    if ("differs" in found || found.position === null) return found
    // Places the calls of a child run just before the end of the child run, in their recorded
    // order.
    return { ...found, position: recorded.endsAt - 1 / (found.position + 2) }
  }
}
