import { type OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { rootTurnInput } from "../../machines/containers/root-input.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunError,
  RunResult,
  RunStatus,
  Usage,
} from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { SerialQueue, type TaskFailure } from "../async/serial-queue.js"
import { Deferred } from "../async/deferred.js"
import type { DriverObserver } from "../driver/driver-observer.js"
import { Driver } from "../driver/driver.js"
import { feed } from "./feed-record.js"
import { inspectedObserver } from "../events/inspect-run.js"
import type { EventLog } from "../events/event-log.js"
import type { Instance } from "../driver/instance.js"
import {
  isOutside,
  type JournalHeader,
  type JournalRecord,
  type StoredRunStatus,
} from "../journal/journal.js"
import { ModelCallMeter } from "../driver/model-call-meter.js"
import { runFinished, runStarted, stateEdited, warningOf } from "../events/run-events.js"
import { OpenRequests } from "./open-requests.js"
import { addUsage, brokenBy, noUsage, resultOf, statusOf, stuck } from "../driver/outcome.js"
import type { RunOperations } from "./run-controls.js"
import { toRun } from "./replies.js"
import type { RunParts } from "./run.js"
import { RunCalls } from "./run-calls.js"
import { RunJournal } from "./run-journal.js"
import { type SharedRunState, createSharedRunState } from "./shared-run-state.js"
import { DeltaEmitter } from "../events/delta-emitter.js"
import { isLater, type Ready, recover } from "../async/when-ready.js"

/**
 * A loaded run. It connects the driver, the calls, the journal, the session and the controls. They
 * share this object and need no closures, because thousands of runs may be open at once.
 */
export class OpenRun implements RunOperations, DriverObserver {
  readonly log: EventLog
  readonly #shared: SharedRunState
  readonly #parts: RunParts
  header: JournalHeader
  readonly #driver: Driver
  readonly #calls: RunCalls
  readonly #queue = new SerialQueue(this)
  readonly #requests = new OpenRequests()
  readonly #idleWaiters: ((result: RunResult) => void)[] = []
  status: RunStatus = "running"
  #error: RunError | null = null
  #usage: Usage = noUsage
  #stoppedAs: "completed" | "cancelled" | null = null
  /** The final status if an `end` or `cancel` is in the queue, else null. No message is accepted after it. */
  stopping: "completed" | "cancelled" | null = null
  #isBetweenInvocations = false
  /** Whether the run finishes because another run waits for its session. */
  #hasYieldedSession = false
  #hasStarted = false
  /** The number of records, without stops, which do not change a session. */
  #records = 0
  #hasNewRecords = false
  #isSuspended = false
  #isOverdue = false
  readonly #journal: RunJournal

  constructor(
    parts: RunParts,
    isStored: boolean,
    shared: SharedRunState = createSharedRunState(parts.header.runId),
  ) {
    this.#parts = parts
    this.#shared = shared
    this.log = shared.log
    this.#journal = new RunJournal(parts.journal, parts.header, isStored)
    this.header = parts.header
    this.#calls = new RunCalls(parts.host, this, new DeltaEmitter(this), parts.watch ?? null)
    const observer =
      parts.inspect === undefined
        ? this
        : inspectedObserver(
            parts.header.runId,
            parts.inspect,
            (message) => this.#emit(warningOf(this.header, message)),
            this,
          )
    this.#driver = new Driver(
      parts.machine,
      new ModelCallMeter(parts.header.chart),
      this.#calls,
      observer,
    )
  }

  open(past: readonly JournalRecord[] | null, before: () => void): void {
    const { refusal, session } = this.#parts
    this.#hasNewRecords = past === null
    if (past !== null || refusal !== null || session === null) return this.#start(past, before)
    this.#queue.runInOrder(
      () => session.enter(this.header, () => this.now(), this.#yieldSession),
      (header) => {
        // The run may have been stopped while it waited for its session.
        if (header === null || !this.#isUnfinished()) return
        this.header = header
        this.#start(null, before)
      },
    )
  }

  #start(past: readonly JournalRecord[] | null, before: () => void): void {
    const { refusal, session } = this.#parts
    const created = past === null ? this.#journal.create(this.header) : undefined
    this.#emitRunStarted()
    if (refusal !== null) return this.#close("failed", refusal)
    const { chart, input, runId, at } = this.header
    this.#driver.start(chart.root, rootTurnInput(input, chart, runId, at))
    for (const record of past ?? []) this.feed(record)
    before()
    const isBack = past !== null && session !== null && this.#isUnfinished()
    this.#queue.storeThenFeed(
      null,
      { append: () => (isBack ? session.hold(this.#yieldSession) : created) },
      { feed: () => this.#calls.endReplay(this.#driver) },
    )
  }

  #emitRunStarted(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#emit(runStarted(this.header))
  }

  /** Finishes the run if it is between two invocations, because another run waits for the session. */
  readonly #yieldSession = (): void => {
    if (
      !this.#isBetweenInvocations ||
      this.status !== "completed" ||
      this.#hasYieldedSession ||
      !this.#queue.isEmpty
    )
      return
    this.#hasYieldedSession = true
    this.stop("completed")
  }

  get result(): Promise<RunResult> {
    return this.#shared.invocation.promise
  }

  /** Whether the run only waits for a person, so that its journal contains all of its state. */
  get canUnload(): boolean {
    return (
      this.status === "waiting" &&
      !this.#isBetweenInvocations &&
      !this.#isSuspended &&
      this.#parts.session === null &&
      this.#parts.inspect === undefined &&
      this.#driver.isIdle &&
      this.#isIdle()
    )
  }

  isOpen(): boolean {
    return (
      this.#isUnfinished() &&
      !this.#hasYieldedSession &&
      !this.#isSuspended &&
      this.stopping === null
    )
  }

  #isUnfinished(): boolean {
    return this.#isBetweenInvocations || this.status === "running" || this.status === "waiting"
  }

  isBetweenInvocations(): boolean {
    return this.#isBetweenInvocations && !this.#requests.isClaimed(toRun)
  }

  now(): number {
    return this.#parts.host.now()
  }

  /** Appends a record to the journal and then processes it, in the order of the calls. */
  append(record: JournalRecord): Ready<TaskFailure> {
    if (this.#isSuspended) return null
    this.#hasNewRecords = true
    return this.#queue.storeThenFeed(record, this.#journal, this)
  }

  /** The root machine; null before the run has started. */
  get root(): Instance | null {
    return this.#driver.root
  }

  pending(): readonly PendingRequest[] {
    return this.#requests.all()
  }

  /** Accepts an answer. The request is no longer pending, so a second answer is rejected. */
  reply(reply: Reply): Ready<TaskFailure> {
    const path = reply.id === toRun ? "" : this.#requests.pathOf(reply.id)
    if (path === undefined) return null
    this.#requests.claim(reply.id)
    const done = this.append([-1, path, reply as unknown as MachineEvent, reply.at])
    if (isLater(done) && this.status === "waiting") this.status = "running"
    return done
  }

  stop(as: "completed" | "cancelled"): Ready<TaskFailure> {
    if (!this.#hasStarted) {
      this.#close(as, null)
      return null
    }
    this.stopping = as
    const at = this.now()
    return this.append([-1, "", { type: "run.stopped", as, at }, at])
  }

  snapshot(): RunResult {
    const root = this.#driver.root?.context as OrchestrationContext | undefined
    return resultOf(this.#parts.header.runId, this.status, root ?? null, this.#error, this.#usage)
  }

  whenSettled(): Promise<RunResult> {
    return this.#isIdle()
      ? Promise.resolve(this.snapshot())
      : new Promise((resolve) => this.#idleWaiters.push(resolve))
  }

  suspend(): void {
    if (!this.#isUnfinished() || this.#isSuspended) return
    // A run that waits for its session is not in the journal yet.
    if (!this.#hasStarted) return void this.stop("cancelled")
    this.#isSuspended = true
    this.#calls.stop(this.#driver)
    this.#parts.host.release?.(this.header.runId)
    void this.#queue.enqueue(undefined, () => {
      if (this.#isUnfinished()) this.#end()
    })
  }

  feed(record: JournalRecord): void {
    const event = isOutside(record) ? record[2] : null
    if (event?.type === "run.stopped") this.#stoppedAs = event["as"] as "completed" | "cancelled"
    else this.#records++
    feed(record, this.#driver, this.#requests)
    if (typeof event?.["id"] === "string") this.#requests.unclaim(event["id"])
    // The time limit of the run has passed. The run ends with the work finished so far.
    if (this.#isOverdue)
      this.#driver.stop({ type: "run.stopped", as: "limit", at: this.#driver.time })
    this.#isOverdue = false
    if (event?.type === "state.edited") this.#emit(stateEdited(this.header, event))
  }

  instanceStopped(instance: Instance): void {
    this.#requests.closeAll(instance)
    this.#parts.watch?.stopped(instance)
  }

  finished(output: unknown): void {
    this.#close(statusOf(output as TurnOutput, this.#stoppedAs), (output as TurnOutput).error)
  }

  emitted(event: EmittedEvent, instance: Instance): void {
    if (event.type === "deadline.passed" && instance.parent === null) this.#isOverdue = true
    this.#requests.apply(event, instance)
    if (event.type === "invocation.finished") this.#isBetweenInvocations = true
    if (event.type === "user.said" && event.id === toRun) {
      this.#isBetweenInvocations = false
      this.status = "running"
      this.#shared.invocation = new Deferred()
    }
    this.#usage = addUsage(this.#usage, event)
    this.#emit(event)
  }

  #emit(event: EmittedEvent | RunBoundaryEvent): void {
    this.log.append(this.#driver.time || this.header.at, event)
  }

  /** Ends the run because a machine or the journal threw. */
  failed(cause: unknown): void {
    const { status, error } = brokenBy(cause)
    this.#close(status, error)
  }

  #close(status: RunStatus, error: RunError | null): void {
    if (!this.#isUnfinished()) return
    const { session, host } = this.#parts
    this.#calls.stop(this.#driver)
    this.#isBetweenInvocations = false
    this.status = status
    this.#error = error
    this.#requests.clear()
    host.release?.(this.header.runId)
    if (session === null) this.#end()
    else {
      // Stop waiting for the session. Records that are already queued are still processed.
      if (!this.#hasStarted) session.release()
      this.#queue.runInOrder(
        () =>
          recover(
            () => this.#save(),
            (cause) => {
              // The run fails if its session cannot be stored.
              this.status = "failed"
              this.#error = brokenBy(cause).error
            },
          ),
        () =>
          this.#queue.isEmpty ? this.#end() : this.#queue.enqueue(undefined, () => this.#end()),
      )
    }
  }

  #save(): Ready<void> {
    const root = this.#driver.root?.context as OrchestrationContext | undefined
    return this.#parts.session?.save(this.header, root, {
      records: this.#records,
      isNew: this.#hasNewRecords,
      at: this.now(),
    })
  }

  /** Releases the run in the journal, then completes its event stream and its result. */
  #end(): void {
    this.#emitRunStarted()
    const failed = (cause: unknown): void =>
      this.#emit(warningOf(this.header, brokenBy(cause).error.message))
    const finish = (): void => {
      const result = this.snapshot()
      if (!this.#isUnfinished()) this.#emit(runFinished(this.header, result))
      this.log.close()
      this.#shared.invocation.settle(result)
      this.#parts.session?.release()
      this.#shared.onReleased?.()
      this.settled()
    }
    this.#queue.runInOrder(
      () => recover(() => this.#journal.noteAndRelease(this.#storedStatus()), failed),
      finish,
    )
  }

  #storedStatus(): StoredRunStatus {
    return { status: this.status, pending: this.pending(), at: this.#driver.time || this.header.at }
  }

  /** Completes the invocation after its session was stored. */
  #endInvocation(): void {
    if (!this.#isBetweenInvocations) return
    this.status = "completed"
    this.#shared.invocation.settle(this.snapshot())
    const [journal, status] = [this.#journal, this.#storedStatus()]
    if (this.#parts.session === null)
      this.#queue.runInOrder(
        () => journal.endInvocation(status),
        () => this.#shared.onInvocationEnded?.(() => journal.noteAndRelease(status)),
      )
  }

  #isIdle(): boolean {
    return (
      !this.#calls.isReplaying &&
      this.#queue.isEmpty &&
      (this.#isSuspended || this.status !== "running" || this.#driver.inFlight === 0)
    )
  }

  /** Updates the status after each task. A run with no call in flight and no pending request is stuck and fails. */
  settled(): void {
    if (!this.#isSuspended && (this.status === "running" || this.status === "waiting")) {
      if (this.#calls.isReplaying) return
      if (this.#isBetweenInvocations && this.#queue.isEmpty) {
        this.#queue.runInOrder(
          () => this.#save(),
          () => this.#endInvocation(),
        )
        if (!this.#queue.isEmpty) return
      } else
        this.status = this.#driver.inFlight === 0 && this.#queue.isEmpty ? "waiting" : "running"
      if (this.status === "waiting" && this.#requests.isEmpty) return this.failed(stuck())
    }
    if (this.#isUnfinished() && this.status !== "running" && !this.#isSuspended)
      this.#queue.runInOrder(
        () => this.#journal.note(this.#storedStatus()),
        () => {},
      )
    if (!this.#isIdle()) return
    for (const settle of this.#idleWaiters.splice(0)) settle(this.snapshot())
    if (this.#parts.session?.isWanted() === true) this.#yieldSession()
    if (this.status === "waiting") this.#shared.onIdle?.()
  }
}
