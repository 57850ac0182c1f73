import type { KnownCall } from "./call-key.js"
import type { PastCalls } from "./past-calls.js"

/** A child run of a recorded run, with the calls that the child run has made. */
export interface PastChild {
  readonly runId: string
  readonly past: PastCalls
  /**
   * Position at which the child run ended: an index of a record in the journal of the run that
   * called it.
   */
  readonly endsAt: number
}

/**
 * The child runs of a recorded run. If another run reuses the recorded results, its child runs
 * reuse the results of these child runs.
 */
export class RecordedChildren {
  /**
   * The recorded child runs. The map key is the child run id without the id of the recorded run,
   * for example `pipeline/caller#0`.
   */
  readonly #children: ReadonlyMap<string, PastChild>
  /**
   * Id of the run that reuses the recorded results. The ids of its child runs start with this id.
   * null before the first call of the run.
   */
  #otherId: string | null = null

  readonly #keysAs: string

  /**
   * `runId` is the id of the recorded run, with which the ids of `children` start. If a child run
   * is executed again, its new id starts with `keysAs` instead.
   */
  constructor(runId: string, keysAs: string, children: readonly PastChild[]) {
    this.#keysAs = keysAs
    this.#children = new Map(children.map((child) => [child.runId.slice(runId.length + 1), child]))
  }

  /**
   * Returns the id of the child run that makes the call with this input, or null if the new run
   * makes it. The id does not start with the id of the calling run. An example is
   * `pipeline/caller#0`.
   *
   * The new run must make the first call, because this method then stores the id of the new run.
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

  /**
   * Returns the recorded call that matches a new call of the child run `child`, and marks it as
   * used. Works like `PastCalls.find`, but searches only the recorded calls of this child run.
   */
  find(child: string, known: KnownCall): ReturnType<PastCalls["find"]> {
    const recorded = this.#children.get(child)
    if (recorded === undefined) return { differs: ["call"] }
    const found = recorded.past.find(known)
    if ("differs" in found || found.position === null) return found
    // Assigns a position just before the end of the child run. The calls of the child run keep
    // their recorded order.
    return { ...found, position: recorded.endsAt - 1 / (found.position + 2) }
  }
}
