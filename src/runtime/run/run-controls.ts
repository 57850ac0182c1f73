import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { Failure } from "../async/serial-queue.js"
import { refuseExpired, replyTo } from "./replies.js"
import type { RunAnswer, RunMessage } from "./run-message.js"
import { checkType } from "./run-message.js"
import type { Ready } from "../async/when-ready.js"

/**
 * What can be done with a run, in either interpreter. Every answer names the id of a pending request. An answer that does not
 * fit is refused with a typed error (`request_unknown`, `request_expired`, `input_refused`, `run_finished`, `run_suspended`) and changes nothing.
 *
 * A request takes one answer. The first answer that is accepted closes the request at once, also while the journal still stores that answer.
 */
export interface RunControls {
  /** What the run waits for, in the order in which it was asked. */
  pending(): readonly PendingRequest[]
  /** Lets the proposed calls run. `args` replaces the arguments of the one proposed call; with several it is keyed by call id. */
  approve(id: string, edits?: { readonly args?: Readonly<Record<string, unknown>> }): void
  reject(id: string, reason?: string): void
  /** Answers a request of kind human (any JSON value), input (a text) or auth (`{secret: name}`). */
  answer(id: string, value: unknown): void
  /** A message of the user, a text or parts, for the agent that waits for one; with several, `request` names it. */
  say(content: UserContent, options?: { readonly request?: string }): void
  /** The result of a long-running tool call, by its call id. */
  deliver(callId: string, result: unknown): void
  /** Finishes the conversation: status completed. */
  end(): void
  /** Aborts the calls in flight and drops their results; what had finished is kept. Status cancelled. */
  cancel(): void
  /**
   * Does what the control of the message's type does, and settles when the journal has stored the message and the run has handled it.
   * Rejects with what the control throws, or with the journal's error (`journal_failed`, `run_owned`): then the message was not stored.
   */
  give(message: RunMessage): Promise<void>
  /** How the run stands now. */
  snapshot(): RunResult
  /** Settles when nothing is in flight: the run waits for someone, or it has finished or was suspended. */
  rest(): Promise<RunResult>
  /**
   * Settles when the run has finished, or was suspended: then its status is still `running` or `waiting`. In the adk dialect it settles for each invocation: the run then rests with status
   * completed and takes another `say`, after which `result` is that of the new invocation.
   */
  readonly result: Promise<RunResult>
}

/** What controls are made from. */
export interface Controlled {
  readonly result: Promise<RunResult>
  /** Whether the run may still be given something. */
  isOpen(): boolean
  /** Whether it rests between two invocations, so that a message of the user begins the next one (adk). */
  rests(): boolean
  /** As what the run will end, once `stop` was accepted; null before. */
  readonly stopping: "completed" | "cancelled" | null
  now(): number
  /** Without the requests whose answer was accepted. */
  pending(): readonly PendingRequest[]
  reply(reply: Reply): Ready<Failure>
  stop(as: "completed" | "cancelled"): Ready<Failure>
  snapshot(): RunResult
  rest(): Promise<RunResult>
}

/** Each control may be taken out by its name; it is made when it is asked for, since a run may wait with many others for long. */
export class ControlledRun implements RunControls {
  readonly #controlled: Controlled

  constructor(controlled: Controlled) {
    this.#controlled = controlled
  }

  get pending(): RunControls["pending"] {
    return () => this.#controlled.pending()
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
    return () => this.#controlled.snapshot()
  }

  get rest(): RunControls["rest"] {
    return () => this.#controlled.rest()
  }

  get result(): RunControls["result"] {
    return this.#controlled.result
  }

  /** What becomes of it shows in the run. */
  #accept(message: RunMessage): void {
    void this.#queue(message)
  }

  #queue(message: RunMessage): Ready<Failure> {
    checkType(message)
    this.#refuseFinished()
    if (message.type === "end") return this.#controlled.stop("completed")
    if (message.type === "cancel") return this.#controlled.stop("cancelled")
    return this.#reply(message)
  }

  #reply(answer: RunAnswer): Ready<Failure> {
    const pending = this.#controlled.pending()
    const timeless = replyTo(answer, pending, this.#controlled.rests())
    // Only the time is missing.
    const reply = { ...timeless, at: this.#controlled.now() } as Reply
    refuseExpired(pending, reply)
    return this.#controlled.reply(reply)
  }

  #refuseFinished(): void {
    if (this.#controlled.isOpen()) return
    const { runId, status } = this.#controlled.snapshot()
    if (status !== "running" && status !== "waiting")
      throw new AgentStatechartsError(
        "run_finished",
        `run "${runId}" has finished (${status}) and does not accept input`,
      )
    const { stopping } = this.#controlled
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
