import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkOptions } from "../../machines/data/check-arguments.js"
import type { TaskFailure } from "../async/serial-queue.js"
import { checkNotExpired, createReply } from "./replies.js"
import type { RunAnswer, RunMessage } from "./run-message.js"
import { checkMessageType } from "./run-message.js"
import type { MaybePromise } from "../async/maybe-promise.js"

/**
 * Methods that read and control a run. An answer contains the id of a pending request. If the
 * answer is not valid, the method throws (`request_unknown`, `request_expired`, `input_refused`,
 * `run_finished`, `run_suspended`), and the run does not change.
 *
 * A request accepts one answer. It closes as soon as an answer is accepted, before the journal has
 * stored the answer.
 */
export interface RunControls {
  /** Returns the requests that wait for an answer, oldest first. */
  pending(): readonly PendingRequest[]
  /**
   * Approves the proposed tool calls of the request `id`. `args` replaces the arguments of the
   * proposed call. If there are several proposed calls, `args` contains the arguments of each call
   * by its id.
   */
  approve(id: string, edits?: { readonly args?: Readonly<Record<string, unknown>> }): void
  /** Rejects the proposed tool calls of the request `id`. `reason` is sent to the model. */
  reject(id: string, reason?: string): void
  /**
   * Answers the request `id`. The value is JSON for a request of kind `human`, a text for kind
   * `input`, and `{secret: name}` for kind `auth`.
   */
  answer(id: string, value: unknown): void
  /**
   * Sends a user message (a text or parts) to the agent that waits for input. `request` is the id
   * of the request for input. It is required if several agents wait for input.
   */
  say(content: UserContent, options?: { readonly request?: string }): void
  /**
   * Provides the result of a long-running tool call. `callId` is the id of the call or of its
   * request.
   */
  deliver(callId: string, result: unknown): void
  /**
   * Ends the run with status `completed`. The calls in flight are aborted, and finished work is
   * kept.
   */
  end(): void
  /**
   * Ends the run with status `cancelled`. The calls in flight are aborted, and finished work is
   * kept.
   */
  cancel(): void
  /**
   * Calls the method that has the same name as the `type` of the message. Resolves after the
   * journal has stored the message and the run has processed it. Rejects with the error of the
   * method, or with `journal_failed` or `run_owned` if the message was not stored.
   */
  give(message: RunMessage): Promise<void>
  /** Returns the current status, text, state and usage of the run. */
  snapshot(): RunResult
  /**
   * Resolves to the current result as soon as no call is in flight. The run then waits for a
   * person, is between two invocations, has finished, or was suspended.
   */
  whenSettled(): Promise<RunResult>
  /**
   * Resolves when the run has finished. If the run was suspended, the status of the result is
   * `running` or `waiting`.
   *
   * In the `adk` dialect, it resolves after each invocation, with the status `completed`. When
   * `say` starts the next invocation, this property contains a new promise. After `end` or
   * `cancel`, it contains a promise that resolves when the journal has stored the end of the run.
   */
  readonly result: Promise<RunResult>
}

/** Basic operations of a run. `CheckedControls` uses them to implement `RunControls`. */
export interface RunOperations {
  readonly result: Promise<RunResult>
  /** Returns true if the run accepts messages. */
  isOpen(): boolean
  /**
   * Returns true if the run is between two invocations. A user message then starts the next
   * invocation (adk dialect).
   */
  isBetweenInvocations(): boolean
  /**
   * Final status that `end` or `cancel` has requested. null if neither was called, or if the call
   * was rejected.
   */
  readonly stopping: "completed" | "cancelled" | null
  /** Returns the current time of the run in milliseconds since the epoch. */
  now(): number
  /** Returns the pending requests without an accepted answer, oldest first. */
  pending(): readonly PendingRequest[]
  reply(reply: Reply): MaybePromise<TaskFailure>
  stop(as: "completed" | "cancelled"): MaybePromise<TaskFailure>
  snapshot(): RunResult
  whenSettled(): Promise<RunResult>
}

/**
 * Implements `RunControls`. It validates messages before it passes them to a run. The methods do
 * not use `this`, so they can be destructured. Each method is created when it is first read,
 * because a process may have many idle runs in memory.
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
    return (id, edits) => {
      checkOptions(edits, {
        call: "approve",
        example: "{ args: { amount: 5 } }",
        known: ["args"],
      })
      const { args } = edits ?? {}
      this.#accept(args === undefined ? { type: "approve", id } : { type: "approve", id, args })
    }
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

  /**
   * Passes a message to the run and returns immediately. If the message cannot be stored, the run
   * fails.
   */
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
    // The cast is safe: `createReply` returns all fields except the time.
    const reply = { ...timeless, at: this.#run.now() }
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
