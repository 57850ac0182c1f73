/**
 * Queue of calls that wait for a model. The runs take turns, so that a run with many calls does not
 * delay other runs. The calls of one run start in the order in which they were added. Every method
 * takes constant time.
 */
export class WaitingCalls<Call> {
  /** Waiting calls by run id. The next call is the first call of the first run. */
  readonly #byRun = new Map<string, Set<Call>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(runId: string, call: Call): void {
    const calls = this.#byRun.get(runId)
    if (calls === undefined) this.#byRun.set(runId, new Set([call]))
    else calls.add(call)
    this.#size++
  }

  /**
   * Removes a stopped call from the queue. Returns false if the queue does not contain the call.
   */
  delete(runId: string, call: Call): boolean {
    const calls = this.#byRun.get(runId)
    if (calls?.delete(call) !== true) return false
    this.#size--
    if (calls.size === 0) this.#byRun.delete(runId)
    return true
  }

  /**
   * Removes the next call from the queue and returns it. Returns undefined if the queue is empty.
   */
  take(): Call | undefined {
    for (const [runId, calls] of this.#byRun)
      for (const call of calls) {
        this.delete(runId, call)
        if (calls.size > 0) {
          this.#byRun.delete(runId)
          this.#byRun.set(runId, calls)
        }
        return call
      }
    return undefined
  }
}
