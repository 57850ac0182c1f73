import { AgentStatechartsError } from "../../errors.js"
import type { Reply } from "../../machines/contract/pending-request.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { ChildProgress, WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import type { RunAnswer } from "../run/run-message.js"
import type { Run } from "../run/run.js"

/**
 * A child run that this process executes. Its methods send answers to the child run and wait for
 * its progress.
 */
export class ChildRun {
  readonly run: Run
  /** Resolves when the run has ended or was suspended, and the journal has released it. */
  readonly released: Promise<void>
  readonly #wakers = new Set<() => void>()

  constructor(run: Run) {
    this.run = run
    this.released = new Promise((resolve) => {
      run.events$.subscribe({
        next: (event) => {
          if (mayChangeRequests(event)) this.#wake()
        },
        complete: () => {
          resolve()
          this.#wake()
        },
      })
    })
  }

  /**
   * Sends the answers in a request to the child run. Returns the ids of the answers that were not
   * used, because their requests were no longer pending.
   */
  async deliver({ answers = [] }: WorkflowRequest): Promise<readonly string[]> {
    const unused: string[] = []
    for (const answer of answers) {
      try {
        await this.run.give(messageOf(answer))
      } catch (error) {
        if (!(error instanceof AgentStatechartsError) || !isTooLate(error)) throw error
        unused.push(answer.id)
      }
    }
    return unused
  }

  /**
   * Resolves to the progress of the child run as soon as the caller needs it. This is when the run
   * has ended, or when the ids of its pending requests differ from `seen`. It is also when the run
   * waits for an answer, unless `watches` is true. Resolves to null if the run was suspended.
   */
  async progress(
    { seen, watches }: WorkflowRequest,
    unused: readonly string[],
  ): Promise<ChildProgress | null> {
    const { run } = this
    let isReleased = false
    void this.released.then(() => (isReleased = true))
    for (;;) {
      const { status } = run
      const pending = run.pending()
      if (status === "running" || status === "waiting") {
        if (isReleased) return null
        const isWaiting = status === "waiting" && pending.length > 0
        if (!sameIds(pending, seen) || (isWaiting && watches !== true))
          return {
            status: isWaiting ? "waiting" : "running",
            pending,
            ...(unused.length > 0 && { unused }),
          }
        await this.#nextChange()
      } else {
        // In the adk dialect, a run waits for the next message after each invocation. A child run
        // has only one invocation, so it is ended.
        if (!isReleased) await giveIfOpen(run, { type: "end" })
        await this.released
        const { text, state, error } = run.snapshot()
        return { status, text, state, error }
      }
    }
  }

  /** Cancels the child run. Resolves after the journal has released it. */
  async cancel(): Promise<void> {
    await giveIfOpen(this.run, { type: "cancel" })
    await this.released
  }

  async #nextChange(): Promise<void> {
    const changed = new Promise<void>((resolve) => this.#wakers.add(resolve))
    // An event only means that the run may start to wait soon. `whenSettled` resolves when it
    // really waits.
    const settled =
      this.run.status === "running" ? this.run.whenSettled() : new Promise<never>(() => {})
    await Promise.race([changed, settled])
  }

  #wake(): void {
    for (const wake of this.#wakers) wake()
    this.#wakers.clear()
  }
}

const requestEvents: ReadonlySet<RunEvent["type"]> = new Set([
  "human.asked",
  "human.answered",
  "user.awaited",
  "user.said",
  "request.expired",
  "invocation.finished",
  "run.finished",
])

const mayChangeRequests = ({ type }: RunEvent): boolean => requestEvents.has(type)

function sameIds(pending: readonly { readonly id: string }[], seen: readonly string[]): boolean {
  if (pending.length !== seen.length) return false
  const ids = new Set(seen)
  return pending.every(({ id }) => ids.has(id))
}

/** Sends a message to a run. Does nothing if the run has ended in the meantime. */
async function giveIfOpen(run: Run, message: { readonly type: "end" | "cancel" }): Promise<void> {
  try {
    await run.give(message)
  } catch (error) {
    if (!(error instanceof AgentStatechartsError) || !isTooLate(error)) throw error
  }
}

const isTooLate = ({ code }: AgentStatechartsError): boolean =>
  code === "request_unknown" ||
  code === "request_expired" ||
  code === "run_finished" ||
  code === "run_suspended"

function messageOf(reply: Reply): RunAnswer {
  switch (reply.type) {
    case "human.approved":
      return {
        type: "approve",
        id: reply.id,
        ...(reply.args !== null && { args: reply.args }),
      }
    case "human.rejected":
      return {
        type: "reject",
        id: reply.id,
        ...(reply.reason !== null && { reason: reply.reason }),
      }
    case "human.answered":
      return { type: "answer", id: reply.id, value: reply.value }
    case "user.said":
      return { type: "say", request: reply.id, content: reply.parts ?? reply.text }
    case "tool.delivered":
      return { type: "deliver", callId: reply.id, result: reply.result }
  }
}
