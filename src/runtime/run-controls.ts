import { AgentStatechartsError } from "../errors.js"
import type { PendingRequest, Reply } from "../machines/pending-request.js"
import type { RunResult } from "../machines/run-event.js"
import type { UserContent } from "../machines/user-content.js"
import type { TimelessReply } from "./replies.js"
import { answerTo, approval, delivery, message, rejection } from "./replies.js"

/**
 * What can be done with a run, in either interpreter. Every answer names the id of a pending request; an answer that does not
 * fit is refused with a typed error (`request_unknown`, `input_refused`, `run_finished`, `run_suspended`) and changes nothing.
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
  now(): number
  pending(): readonly PendingRequest[]
  reply(reply: Reply): void
  stop(as: "completed" | "cancelled"): void
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
    return (id, edits) => this.#reply(approval(this.#asked(), id, edits?.args))
  }

  get reject(): RunControls["reject"] {
    return (id, reason) => this.#reply(rejection(this.#asked(), id, reason))
  }

  get answer(): RunControls["answer"] {
    return (id, value) => this.#reply(answerTo(this.#asked(), id, value))
  }

  get say(): RunControls["say"] {
    return (content, options) =>
      this.#reply(message(this.#asked(), content, options?.request, this.#controlled.rests()))
  }

  get deliver(): RunControls["deliver"] {
    return (callId, result) => this.#reply(delivery(this.#asked(), callId, result))
  }

  get end(): RunControls["end"] {
    return () => this.#stop("completed")
  }

  get cancel(): RunControls["cancel"] {
    return () => this.#stop("cancelled")
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

  #asked(): readonly PendingRequest[] {
    this.#refuseFinished()
    return this.#controlled.pending()
  }

  #reply(timeless: TimelessReply): void {
    this.#controlled.reply({ ...timeless, at: this.#controlled.now() } as Reply)
  }

  #stop(as: "completed" | "cancelled"): void {
    this.#refuseFinished()
    this.#controlled.stop(as)
  }

  #refuseFinished(): void {
    if (this.#controlled.isOpen()) return
    const { runId, status } = this.#controlled.snapshot()
    if (status === "running" || status === "waiting")
      throw new AgentStatechartsError(
        "run_suspended",
        `run "${runId}" has been suspended here; resume it and give this to the resumed one`,
      )
    throw new AgentStatechartsError(
      "run_finished",
      `run "${runId}" has finished (${status}) and takes nothing more`,
    )
  }
}
