import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunError, RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import { isPromise, type MaybePromise, recover } from "../async/maybe-promise.js"
import { SerialQueue, type TaskFailure } from "../async/serial-queue.js"
import { Deferred } from "../async/deferred.js"
import { failureResult, stuckRunError } from "../driver/outcome.js"
import type { EventLog } from "../events/event-log.js"
import { runFinished, runStarted } from "../events/run-events.js"
import type { JournalHeader, JournalRecord } from "../journal/journal.js"
import { ChartExecution } from "./chart-execution.js"
import { noRequestId } from "./replies.js"
import type { RunOperations } from "./run-controls.js"
import { releaseOf, RunJournal } from "./run-journal.js"
import { RunLifecycle } from "./run-lifecycle.js"
import { type RunOwner, standaloneOwner } from "./run-owner.js"
import type { RunParts } from "./run-parts.js"

/**
 * Executes a run in this process. It stores records, processes them in order, and manages the
 * lifecycle of the run. Its components receive this object instead of closures, which saves memory
 * if a process executes thousands of runs.
 */
export class RunExecution implements RunOperations {
  readonly log: EventLog
  readonly chart: ChartExecution
  /** Journal header. When the run starts, its session is loaded and added to the header. */
  header: JournalHeader
  /** Final status requested by `end` or `cancel`, or null. If set, the run rejects all messages. */
  stopping: "completed" | "cancelled" | null = null
  readonly #owner: RunOwner
  readonly #parts: RunParts
  readonly #journal: RunJournal
  readonly #queue = new SerialQueue(this)
  readonly lifecycle = new RunLifecycle()
  readonly #settledWaiters: ((result: RunResult) => void)[] = []
  #hasNewRecords = false

  constructor(
    parts: RunParts,
    isStored: boolean,
    owner: RunOwner = standaloneOwner(parts.header.runId),
  ) {
    this.#parts = parts
    this.#owner = owner
    this.log = owner.log
    this.header = parts.header
    this.#journal = new RunJournal(parts.journal, parts.header, isStored)
    this.chart = new ChartExecution(parts, this, this.lifecycle)
  }

  /**
   * Starts the run, or resumes it from the records in `past`. A new run with a session first waits
   * until the session is free. `before` is called after the records in `past` have been processed
   * and before any call is made.
   */
  open(past: readonly JournalRecord[] | null, before: () => void): void {
    const { refusal, session } = this.#parts
    this.#hasNewRecords = past === null
    if (past !== null || refusal !== null || session === null) return this.#start(past, before)
    this.#queue.runThen(
      () => session.open(this.header, () => this.now(), this.#yieldSession),
      (header) => {
        // The run may have been stopped while it was waiting for its session.
        if (header === null || this.lifecycle.state !== "created") return
        this.header = header
        this.#start(null, before)
      },
    )
  }

  #start(past: readonly JournalRecord[] | null, before: () => void): void {
    const { refusal, session } = this.#parts
    const header = past === null ? this.#journal.redactedHeader(this.header) : this.header
    if (header instanceof AgentStatechartsError) return void this.failed(header)
    this.header = header
    // A run that cannot start is not stored. Without records, it would look like an interrupted
    // run.
    const mustStore = past === null && refusal === null
    const created = mustStore ? this.#journal.create(this.header) : undefined
    this.lifecycle.apply("start")
    this.chart.emit(runStarted(this.header))
    if (refusal !== null) return this.close("failed", refusal)
    this.chart.start(this.header)
    for (const record of past ?? []) this.chart.process(record)
    before()
    const isResumed = past !== null && session !== null && this.lifecycle.isUnfinished
    this.#queue.storeThenProcess(
      null,
      { append: () => (isResumed ? session.acquire(this.#yieldSession) : created) },
      { process: () => this.chart.endReplay() },
    )
  }

  /** Ends the run if it is between two invocations, because another run waits for its session. */
  readonly #yieldSession = (): void => {
    const canEnd = this.stopping === null && this.#queue.isEmpty
    if (this.lifecycle.hasCompletedInvocation && canEnd) this.stop("completed")
  }

  get status(): RunStatus {
    return this.lifecycle.status
  }

  get result(): Promise<RunResult> {
    return this.#owner.invocation.promise
  }

  /** True if the run can be unloaded: it waits, and the journal contains its complete state. */
  get canUnload(): boolean {
    const { session, inspect } = this.#parts
    const isReloadable = session === null && inspect === undefined && this.chart.hasNoCalls
    return isReloadable && this.lifecycle.state === "waiting" && this.#isSettled()
  }

  isOpen(): boolean {
    return this.lifecycle.isActive && this.stopping === null
  }

  isBetweenInvocations(): boolean {
    return this.lifecycle.state === "idle" && !this.chart.requests.isClaimed(noRequestId)
  }

  now(): number {
    return this.#parts.host.now()
  }

  pending(): readonly PendingRequest[] {
    return this.chart.requests.all()
  }

  snapshot(): RunResult {
    return this.chart.result()
  }

  whenSettled(): Promise<RunResult> {
    return this.#isSettled()
      ? Promise.resolve(this.snapshot())
      : new Promise((resolve) => this.#settledWaiters.push(resolve))
  }

  /** Accepts an answer and closes its request, so that a second answer is rejected. */
  reply(reply: Reply): MaybePromise<TaskFailure> {
    const path = reply.id === noRequestId ? "" : this.chart.requests.pathOf(reply.id)
    if (path === undefined) return null
    this.chart.requests.claim(reply.id)
    const done = this.append([-1, path, reply as unknown as MachineEvent, reply.at])
    if (isPromise(done) && this.lifecycle.state === "waiting") this.lifecycle.apply("continue")
    return done
  }

  stop(as: "completed" | "cancelled"): MaybePromise<TaskFailure> {
    if (this.lifecycle.state === "created") {
      this.close(as, null)
      return null
    }
    // The promise of the last invocation has already resolved. A new promise is needed for the
    // result of the ended run.
    if (this.lifecycle.hasCompletedInvocation) this.#owner.invocation = new Deferred()
    // In a task graph, `end` ends the conversations, but not the graph.
    if (as === "cancelled" || !this.chart.isGraph) this.stopping = as
    const at = this.now()
    return this.append([-1, "", { type: "run.stopped", as, at }, at])
  }

  /** Stops the run without storing a record, so that it can be resumed. */
  suspend(): void {
    // The journal does not contain a run that still waits for its session, so it cannot be resumed.
    if (this.lifecycle.state === "created") return void this.stop("cancelled")
    if (!this.lifecycle.apply("suspend")) return
    this.chart.stopCalls(true)
    void this.#queue.enqueue(undefined, () => {
      if (this.lifecycle.state === "suspended") this.#release()
    })
  }

  /** Stores a record, and processes it after all earlier records. Returns the error, or null. */
  append(record: JournalRecord): MaybePromise<TaskFailure> {
    if (this.lifecycle.state === "suspended") return null
    const redacted = this.#journal.redacted(record)
    if (redacted instanceof AgentStatechartsError) return this.failed(redacted)
    this.#hasNewRecords = true
    return this.#queue.storeThenProcess(redacted, this.#journal, this.chart)
  }

  startInvocation(): void {
    // A reloaded run keeps the promise of its current invocation, which a program may wait for.
    if (!this.chart.isReplaying) this.#owner.invocation = new Deferred()
  }

  /** Ends the run because a state machine or the journal threw an error. */
  failed(cause: unknown): TaskFailure {
    const { status, error } = failureResult(cause)
    this.close(status, error)
    return { cause }
  }

  /** Ends the run with a final status: saves its session and then releases the run. */
  close(status: RunStatus, error: RunError | null): void {
    const isStarted = this.lifecycle.state !== "created"
    if (!this.lifecycle.close(status, error)) return
    const { session } = this.#parts
    this.chart.stopCalls(false)
    if (!isStarted) this.chart.emit(runStarted(this.header))
    this.chart.requests.clear()
    if (session === null) return this.#release()
    // If the run is still waiting for its session, it stops waiting. Queued records are still
    // processed.
    if (!isStarted) session.release()
    this.#queue.runThen(
      () =>
        recover(
          () => this.#saveSession(),
          (cause) => this.lifecycle.fail(failureResult(cause).error),
        ),
      () =>
        this.#queue.isEmpty
          ? this.#release()
          : this.#queue.enqueue(undefined, () => this.#release()),
    )
  }

  #saveSession(): MaybePromise<void> {
    return this.#parts.session?.save(this.header, this.chart.rootContext, {
      records: this.chart.records,
      isNew: this.#hasNewRecords,
      at: this.now(),
    })
  }

  /** Releases the run in the journal, then completes its event stream and resolves its result. */
  #release(): void {
    const finish = (): void => {
      const result = this.snapshot()
      if (this.lifecycle.apply("release")) this.chart.emit(runFinished(this.header, result))
      this.log.close()
      this.#owner.invocation.settle(result)
      this.#parts.session?.release()
      this.#owner.onReleased?.()
      this.settled()
    }
    this.#queue.runThen(
      () =>
        recover(
          () => this.#journal.noteAndRelease(this.chart.storedStatus()),
          (cause) => this.chart.warn(failureResult(cause).error.message),
        ),
      finish,
    )
  }

  /** Resolves the result of the current invocation, after the session of the run was saved. */
  #completeInvocation(): void {
    if (!this.lifecycle.apply("completeInvocation")) return
    this.#owner.invocation.settle(this.snapshot())
    const [journal, status] = [this.#journal, this.chart.storedStatus()]
    if (this.#parts.session === null)
      this.#queue.runThen(
        () => journal.endInvocation(status),
        () => this.#owner.onInvocationEnded?.(releaseOf(journal, status)),
      )
  }

  /** Returns true if the run only continues after a message or a deadline. */
  #isSettled(): boolean {
    return (
      !this.chart.isReplaying &&
      this.#queue.isEmpty &&
      (this.lifecycle.state === "suspended" || this.status !== "running" || !this.chart.isWorking)
    )
  }

  /** Updates the lifecycle after each task of `#queue`. Fails the run if it cannot continue. */
  settled(): void {
    const lifecycle = this.lifecycle
    if (lifecycle.isActive && lifecycle.status !== "completed") {
      if (this.chart.isReplaying) return
      if (lifecycle.state !== "idle") {
        const isWaiting = !this.chart.isWorking && this.#queue.isEmpty
        lifecycle.apply(isWaiting ? "wait" : "continue")
        if (isWaiting && this.chart.requests.isEmpty) return void this.failed(stuckRunError())
      } else if (this.#queue.isEmpty)
        this.#queue.runThen(
          () => this.#saveSession(),
          () => this.#completeInvocation(),
        )
      if (!this.#queue.isEmpty) return
    }
    if (lifecycle.isActive && lifecycle.status !== "running")
      this.#queue.runThen(
        () => this.#journal.storeStatus(this.chart.storedStatus()),
        () => {},
      )
    if (!this.#isSettled()) return
    for (const resolve of this.#settledWaiters.splice(0)) resolve(this.snapshot())
    if (this.#parts.session?.isWanted() === true) this.#yieldSession()
    if (lifecycle.state === "waiting") this.#owner.onWaiting?.()
  }
}
