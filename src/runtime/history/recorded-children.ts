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
 * The child runs of a recorded run. When another run reuses the recorded results, the calls of its
 * child runs receive the recorded results of the same child runs.
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
   * `runId` is the id of the recorded run. `keysAs` replaces this id in the ids of new child runs
   * that are executed.
   */
  constructor(runId: string, keysAs: string, children: readonly PastChild[]) {
    this.#keysAs = keysAs
    this.#children = new Map(children.map((child) => [child.runId.slice(runId.length + 1), child]))
  }

  /**
   * Returns the id of the child run that makes the call with this input. The returned id does not
   * contain the id of the calling run, for example `pipeline/caller#0`. Returns null if the new run
   * makes the call itself. The first call must be a call of the new run itself.
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
   * Finds the recorded call of a child run that matches a new call, and marks it as used. Has the
   * same result as `PastCalls.find`, but searches the recorded calls of the child run `child`.
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
