import {
  type OrchestrationContext,
  rootTurnInput,
} from "../../machines/containers/orchestration-context.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type {
  Announcement,
  Milestone,
  RunError,
  RunResult,
  RunStatus,
  Usage,
} from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { SerialQueue, type Failure } from "../async/serial-queue.js"
import { Deferred } from "../async/deferred.js"
import type { DriverObserver } from "../driver/driver-observer.js"
import { Driver } from "../driver/driver.js"
import { feed } from "./feed-record.js"
import { inspected } from "../events/inspect-run.js"
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
import type { Controlled } from "./run-controls.js"
import { toRun } from "./replies.js"
import type { RunParts } from "./run.js"
import { RunCalls } from "./run-calls.js"
import { RunJournal } from "./run-journal.js"
import { type SharedRunState, createSharedRunState } from "./shared-run-state.js"
import { DeltaEmitter } from "../events/delta-emitter.js"
import { isLater, type Ready, recover } from "../async/when-ready.js"

/** A run: what its driver, its calls, its journal, its session and its person are told of each other. They are given the run itself and no functions: thousands may be open at once. */
export class OpenRun implements Controlled, DriverObserver {
  readonly log: EventLog
  readonly #lasting: SharedRunState
  readonly #parts: RunParts
  header: JournalHeader
  readonly #driver: Driver
  readonly #calls: RunCalls
  readonly #backlog = new SerialQueue(this)
  readonly #requests = new OpenRequests()
  readonly #resting: ((result: RunResult) => void)[] = []
  status: RunStatus = "running"
  #error: RunError | null = null
  #usage: Usage = noUsage
  #stoppedAs: "completed" | "cancelled" | null = null
  /** As what the run will end: an `end` or `cancel` is in the queue, and nothing is accepted behind it. */
  stopping: "completed" | "cancelled" | null = null
  #rests = false
  /** It rests no longer: another run has its session. */
  #gaveWay = false
  #begun = false
  /** Records of its journal, stops not counted: they change nothing in a session. */
  #records = 0
  #isNew = false
  #isSuspended = false
  #isOverdue = false
  readonly #journal: RunJournal

  constructor(
    parts: RunParts,
    isStored: boolean,
    lasting: SharedRunState = createSharedRunState(parts.header.runId),
  ) {
    this.#parts = parts
    this.#lasting = lasting
    this.log = lasting.log
    this.#journal = new RunJournal(parts.journal, parts.header, isStored)
    this.header = parts.header
    this.#calls = new RunCalls(parts.host, this, new DeltaEmitter(this), parts.watch ?? null)
    const observer =
      parts.inspect === undefined
        ? this
        : inspected(
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
    this.#isNew = past === null
    if (past !== null || refusal !== null || session === null) return this.#begin(past, before)
    this.#backlog.after(
      () => session.enter(this.header, () => this.now(), this.#giveWay),
      (header) => {
        // A run that was stopped meanwhile does not begin any more.
        if (header === null || !this.#isGoing()) return
        this.header = header
        this.#begin(null, before)
      },
    )
  }

  #begin(past: readonly JournalRecord[] | null, before: () => void): void {
    const { refusal, session } = this.#parts
    const created = past === null ? this.#journal.create(this.header) : undefined
    this.#tellStart()
    if (refusal !== null) return this.#close("failed", refusal)
    const { chart, input, runId, at } = this.header
    this.#driver.start(chart.root, rootTurnInput(input, chart, runId, at))
    for (const record of past ?? []) this.feed(record)
    before()
    const isBack = past !== null && session !== null && this.#isGoing()
    this.#backlog.inTurn(
      null,
      { append: () => (isBack ? session.hold(this.#giveWay) : created) },
      { feed: () => this.#calls.release(this.#driver) },
    )
  }

  #tellStart(): void {
    if (this.#begun) return
    this.#begun = true
    this.#emit(runStarted(this.header))
  }

  /** Another run waits for the session: this one finishes if it only rests. */
  readonly #giveWay = (): void => {
    if (!this.#rests || this.status !== "completed" || this.#gaveWay || !this.#backlog.isEmpty)
      return
    this.#gaveWay = true
    this.stop("completed")
  }

  get result(): Promise<RunResult> {
    return this.#lasting.invocation.promise
  }

  /** Whether it waits for a person and nothing else, so that its journal has all of it. */
  get isIdle(): boolean {
    return (
      this.status === "waiting" &&
      !this.#rests &&
      !this.#isSuspended &&
      this.#parts.session === null &&
      this.#parts.inspect === undefined &&
      this.#driver.isIdle &&
      this.#atRest()
    )
  }

  isOpen(): boolean {
    return this.#isGoing() && !this.#gaveWay && !this.#isSuspended && this.stopping === null
  }

  #isGoing(): boolean {
    return this.#rests || this.status === "running" || this.status === "waiting"
  }

  rests(): boolean {
    return this.#rests && !this.#requests.isClaimed(toRun)
  }

  now(): number {
    return this.#parts.host.now()
  }

  /** Stores a record, then feeds it: in the order of arrival, whatever the journal takes. */
  arrives(record: JournalRecord): Ready<Failure> {
    if (this.#isSuspended) return null
    this.#isNew = true
    return this.#backlog.inTurn(record, this.#journal, this)
  }

  /** The machine that the run started with; null before it has begun. */
  get root(): Instance | null {
    return this.#driver.root
  }

  pending(): readonly PendingRequest[] {
    return this.#requests.all()
  }

  /** The first answer to a request that enters the queue wins: the request is not pending from now on. */
  reply(reply: Reply): Ready<Failure> {
    const path = reply.id === toRun ? "" : this.#requests.pathOf(reply.id)
    if (path === undefined) return null
    this.#requests.claim(reply.id)
    const done = this.arrives([-1, path, reply as unknown as MachineEvent, reply.at])
    if (isLater(done) && this.status === "waiting") this.status = "running"
    return done
  }

  stop(as: "completed" | "cancelled"): Ready<Failure> {
    if (!this.#begun) {
      this.#close(as, null)
      return null
    }
    this.stopping = as
    const at = this.now()
    return this.arrives([-1, "", { type: "run.stopped", as, at }, at])
  }

  snapshot(): RunResult {
    const root = this.#driver.root?.context as OrchestrationContext | undefined
    return resultOf(this.#parts.header.runId, this.status, root ?? null, this.#error, this.#usage)
  }

  rest(): Promise<RunResult> {
    return this.#atRest()
      ? Promise.resolve(this.snapshot())
      : new Promise((resolve) => this.#resting.push(resolve))
  }

  suspend(): void {
    if (!this.#isGoing() || this.#isSuspended) return
    // A run that waits for its session is in no journal yet.
    if (!this.#begun) return void this.stop("cancelled")
    this.#isSuspended = true
    this.#calls.stop(this.#driver)
    this.#parts.host.release?.(this.header.runId)
    void this.#backlog.enqueue(undefined, () => {
      if (this.#isGoing()) this.#end()
    })
  }

  feed(record: JournalRecord): void {
    const event = isOutside(record) ? record[2] : null
    if (event?.type === "run.stopped") this.#stoppedAs = event["as"] as "completed" | "cancelled"
    else this.#records++
    feed(record, this.#driver, this.#requests)
    if (typeof event?.["id"] === "string") this.#requests.unclaim(event["id"])
    // It has taken as long as it may and ends with what has finished.
    if (this.#isOverdue)
      this.#driver.stop({ type: "run.stopped", as: "limit", at: this.#driver.at })
    this.#isOverdue = false
    if (event?.type === "state.edited") this.#emit(stateEdited(this.header, event))
  }

  stoppedInstance(instance: Instance): void {
    this.#requests.forget(instance)
    this.#parts.watch?.stopped(instance)
  }

  finished(output: unknown): void {
    this.#close(statusOf(output as TurnOutput, this.#stoppedAs), (output as TurnOutput).error)
  }

  announced(event: Announcement, instance: Instance): void {
    if (event.type === "deadline.passed" && instance.parent === null) this.#isOverdue = true
    this.#requests.hear(event, instance)
    if (event.type === "invocation.finished") this.#rests = true
    if (event.type === "user.said" && event.id === toRun) {
      this.#rests = false
      this.status = "running"
      this.#lasting.invocation = new Deferred()
    }
    this.#usage = addUsage(this.#usage, event)
    this.#emit(event)
  }

  #emit(event: Announcement | Milestone): void {
    this.log.append(this.#driver.at || this.header.at, event)
  }

  /** A machine threw or the journal did: the run ends, and what it was is told. */
  broke(cause: unknown): void {
    const { status, error } = brokenBy(cause)
    this.#close(status, error)
  }

  #close(status: RunStatus, error: RunError | null): void {
    if (!this.#isGoing()) return
    const { session, host } = this.#parts
    this.#calls.stop(this.#driver)
    this.#rests = false
    this.status = status
    this.#error = error
    this.#requests.clear()
    host.release?.(this.header.runId)
    if (session === null) this.#end()
    else {
      // A run that waits for its session waits no longer; what has arrived is let in, so that nothing is left behind.
      if (!this.#begun) session.release()
      this.#backlog.after(
        () =>
          recover(
            () => this.#save(),
            (cause) => {
              // A store that fails makes the run a failed one.
              this.status = "failed"
              this.#error = brokenBy(cause).error
            },
          ),
        () =>
          this.#backlog.isEmpty ? this.#end() : this.#backlog.enqueue(undefined, () => this.#end()),
      )
    }
  }

  #save(): Ready<void> {
    const root = this.#driver.root?.context as OrchestrationContext | undefined
    return this.#parts.session?.save(this.header, root, {
      records: this.#records,
      isNew: this.#isNew,
      at: this.now(),
    })
  }

  /** The journal lets go of the run, which then is over, or suspended. Who waits for it hears of it afterwards. */
  #end(): void {
    this.#tellStart()
    const failed = (cause: unknown): void =>
      this.#emit(warningOf(this.header, brokenBy(cause).error.message))
    const told = (): void => {
      const result = this.snapshot()
      if (!this.#isGoing()) this.#emit(runFinished(this.header, result))
      this.log.close()
      this.#lasting.invocation.settle(result)
      this.#parts.session?.release()
      this.#lasting.isLeft?.()
      this.settled()
    }
    this.#backlog.after(() => recover(() => this.#journal.leave(this.#standing()), failed), told)
  }

  #standing(): StoredRunStatus {
    return { status: this.status, pending: this.pending(), at: this.#driver.at || this.header.at }
  }

  /** The invocation is over and its session stored. */
  #restNow(): void {
    if (!this.#rests) return
    this.status = "completed"
    this.#lasting.invocation.settle(this.snapshot())
    const [journal, standing] = [this.#journal, this.#standing()]
    if (this.#parts.session === null)
      this.#backlog.after(
        () => journal.rest(standing),
        () => this.#lasting.isDone?.(() => journal.leave(standing)),
      )
  }

  #atRest(): boolean {
    return (
      !this.#calls.isReplaying &&
      this.#backlog.isEmpty &&
      (this.#isSuspended || this.status !== "running" || this.#driver.inFlight === 0)
    )
  }

  /** Nothing in flight: the run has finished, or it waits. A chart that does neither is stuck, which is said. */
  settled(): void {
    if (!this.#isSuspended && (this.status === "running" || this.status === "waiting")) {
      if (this.#calls.isReplaying) return
      if (this.#rests && this.#backlog.isEmpty) {
        this.#backlog.after(
          () => this.#save(),
          () => this.#restNow(),
        )
        if (!this.#backlog.isEmpty) return
      } else
        this.status = this.#driver.inFlight === 0 && this.#backlog.isEmpty ? "waiting" : "running"
      if (this.status === "waiting" && this.#requests.isEmpty) return this.broke(stuck())
    }
    if (this.#isGoing() && this.status !== "running" && !this.#isSuspended)
      this.#backlog.after(
        () => this.#journal.note(this.#standing()),
        () => {},
      )
    if (!this.#atRest()) return
    for (const settle of this.#resting.splice(0)) settle(this.snapshot())
    if (this.#parts.session?.isWanted() === true) this.#giveWay()
    if (this.status === "waiting") this.#lasting.rested?.()
  }
}
