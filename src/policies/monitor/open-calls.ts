/** Identifies a tool call in a run by the path of its agent and the call id. */
interface ToolCallId {
  readonly path: string
  readonly callId: string
}

/** Stores the tool calls of a run that have started but not returned. */
export class OpenCalls {
  /** Number of open calls with the same call id, by agent path and then by call id. */
  readonly #open = new Map<string, Map<string, number>>()
  /**
   * The ids of the calls that wait for a person's consent or have just received it, by agent path.
   */
  readonly #consents = new Map<string, Set<string>>()

  /**
   * Returns the number of open calls with this id. It can be greater than 1, because a model
   * response can contain the same call id several times.
   */
  openOf({ path, callId }: ToolCallId): number {
    return this.#open.get(path)?.get(callId) ?? 0
  }

  /**
   * Returns whether a call repeats an earlier call that was interrupted to ask for consent. The
   * repeated call has the same idempotency key.
   */
  isConsented({ path, callId }: ToolCallId): boolean {
    return this.#consents.size > 0 && this.#consents.get(path)?.has(callId) === true
  }

  awaitConsent({ path, callId }: ToolCallId): void {
    const ids = this.#consents.get(path)
    if (ids === undefined) this.#consents.set(path, new Set([callId]))
    else ids.add(callId)
  }

  /**
   * Adds an open call if `isTracked` is true. A call that is repeated after a person gave consent
   * is not added again.
   */
  begin(call: ToolCallId, isTracked: boolean): void {
    if (this.#forgetConsent(call) || !isTracked) return
    const { path, callId } = call
    let calls = this.#open.get(path)
    if (calls === undefined) this.#open.set(path, (calls = new Map()))
    calls.set(callId, (calls.get(callId) ?? 0) + 1)
  }

  end(call: ToolCallId): void {
    this.#forgetConsent(call)
    const calls = this.#open.get(call.path)
    if (calls === undefined) return
    const left = (calls.get(call.callId) ?? 0) - 1
    if (left > 0) calls.set(call.callId, left)
    else calls.delete(call.callId)
  }

  /** Removes all open calls of an agent. `path` is the path of the agent. */
  close(path: string): void {
    if (this.#open.size > 0) this.#open.delete(path)
  }

  #forgetConsent({ path, callId }: ToolCallId): boolean {
    return this.#consents.size > 0 && this.#consents.get(path)?.delete(callId) === true
  }
}
