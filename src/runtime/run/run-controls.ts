import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { TaskFailure } from "../async/serial-queue.js"
import { checkNotExpired, createReply } from "./replies.js"
import type { RunAnswer, RunMessage } from "./run-message.js"
import { checkMessageType } from "./run-message.js"
import type { MaybePromise } from "../async/maybe-promise.js"

/**
 * Reads and controls a run. Each answer names the id of a pending request. An answer that does
 * not fit throws a typed error (`request_unknown`, `request_expired`, `input_refused`,
 * `run_finished`, `run_suspended`) and changes nothing.
 *
 * A request accepts one answer. The request closes as soon as an answer is accepted, before the
 * journal has stored it.
 */
export interface RunControls {
  /** Returns the pending requests, oldest first. */
  pending(): readonly PendingRequest[]
  /**
   * Approves the proposed tool calls. `args` replaces the arguments of the proposed call. If
   * there are several calls, `args` is keyed by call id.
   */
  approve(id: string, edits?: { readonly args?: Readonly<Record<string, unknown>> }): void
  /** Rejects the proposed tool calls. The model receives the reason. */
  reject(id: string, reason?: string): void
  /**
   * Answers a request of kind `human` (any JSON value), `input` (a text) or `auth` (`{secret:
   * name}`).
   */
  answer(id: string, value: unknown): void
  /**
   * Sends a user message (a text or parts) to the agent that waits for input. If several agents
   * wait, `request` is the id of the request.
   */
  say(content: UserContent, options?: { readonly request?: string }): void
  /** Delivers the result of a long-running tool call. */
  deliver(callId: string, result: unknown): void
  /** Ends the run with status `completed`. */
  end(): void
  /** Aborts the calls in flight and ends the run with status `cancelled`. Finished work is kept. */
  cancel(): void
  /**
   * Calls the method named by the type of the message. Resolves after the journal has stored the
   * message and the run has processed it. Rejects with the error of the method, or with
   * `journal_failed` or `run_owned` if the message was not stored.
   */
  give(message: RunMessage): Promise<void>
  /** Returns the status, text, state and usage of the run now. */
  snapshot(): RunResult
  /**
   * Resolves when no call is in flight: the run waits for a person, is between two invocations, has
   * finished, or was suspended.
   */
  whenSettled(): Promise<RunResult>
  /**
   * Resolves when the run has finished. If the run was suspended, the status is `running` or
   * `waiting`.
   *
   * In the `adk` dialect it resolves after each invocation with status `completed`. A new `say`
   * starts the next invocation, and `result` is then a new promise.
   */
  readonly result: Promise<RunResult>
}

/** The operations of a run on which `RunControls` is built. */
export interface RunOperations {
  readonly result: Promise<RunResult>
  /** Whether the run accepts messages. */
  isOpen(): boolean
  /**
   * Whether the run is between two invocations, so that a user message starts the next one (adk).
   */
  isBetweenInvocations(): boolean
  /** The final status after `stop` was accepted; null before. */
  readonly stopping: "completed" | "cancelled" | null
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /** Returns the pending requests that have no accepted answer, oldest first. */
  pending(): readonly PendingRequest[]
  reply(reply: Reply): MaybePromise<TaskFailure>
  stop(as: "completed" | "cancelled"): MaybePromise<TaskFailure>
  snapshot(): RunResult
  whenSettled(): Promise<RunResult>
}

/**
 * Checks messages and passes them to a run. Each method works without `this`, so it can be
 * destructured. The methods are created when they are read, because many idle runs may be in
 * memory.
 */
export class CheckedControls implements RunControls {
  readonly #run: RunOperations

  constructor(run: RunOperations) {
    this.#run = run
  }

  get pending(): RunControls["pending"] {
    return () => this.#run.pending()
  }

  get approve(): RunControls["approve"] {
    return (id, { args } = {}) =>
      this.#accept(args === undefined ? { type: "approve", id } : { type: "approve", id, args })
  }

  get reject(): RunControls["reject"] {
    return (id, reason) =>
      this.#accept(reason === undefined ? { type: "reject", id } : { type: "reject", id, reason })
  }

  get answer(): RunControls["answer"] {
    return (id, value) => this.#accept({ type: "answer", id, value })
  }

  get say(): RunControls["say"] {
    return (content, options) => this.#accept({ type: "say", content, ...options })
  }

  get deliver(): RunControls["deliver"] {
    return (callId, result) => this.#accept({ type: "deliver", callId, result })
  }

  get end(): RunControls["end"] {
    return () => this.#accept({ type: "end" })
  }

  get cancel(): RunControls["cancel"] {
    return () => this.#accept({ type: "cancel" })
  }

  get give(): RunControls["give"] {
    return async (message) => {
      const failure = await this.#queue(message)
      if (failure !== null) throw failure.cause
    }
  }

  get snapshot(): RunControls["snapshot"] {
    return () => this.#run.snapshot()
  }

  get whenSettled(): RunControls["whenSettled"] {
    return () => this.#run.whenSettled()
  }

  get result(): RunControls["result"] {
    return this.#run.result
  }

  /** Queues a message without waiting for it. A failure ends the run. */
  #accept(message: RunMessage): void {
    void this.#queue(message)
  }

  #queue(message: RunMessage): MaybePromise<TaskFailure> {
    checkMessageType(message)
    this.#checkIsOpen()
    if (message.type === "end") return this.#run.stop("completed")
    if (message.type === "cancel") return this.#run.stop("cancelled")
    return this.#reply(message)
  }

  #reply(answer: RunAnswer): MaybePromise<TaskFailure> {
    const pending = this.#run.pending()
    const timeless = createReply(answer, pending, this.#run.isBetweenInvocations())
    // `createReply` returns all fields except the time.
    const reply = { ...timeless, at: this.#run.now() } as Reply
    checkNotExpired(pending, reply)
    return this.#run.reply(reply)
  }

  #checkIsOpen(): void {
    if (this.#run.isOpen()) return
    const { runId, status } = this.#run.snapshot()
    if (status !== "running" && status !== "waiting")
      throw new AgentStatechartsError(
        "run_finished",
        `run "${runId}" has finished (${status}) and does not accept input`,
      )
    const { stopping } = this.#run
    if (stopping !== null)
      throw new AgentStatechartsError(
        "run_finished",
        `run "${runId}" is about to finish (${stopping}) and does not accept input`,
      )
    throw new AgentStatechartsError(
      "run_suspended",
      `run "${runId}" is suspended in this process; resume it and send the input to the resumed run`,
    )
  }
}
