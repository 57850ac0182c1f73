import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult, RunStatus } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { isPromise, type MaybePromise, recover } from "../async/maybe-promise.js"
import type { TaskFailure } from "../async/serial-queue.js"
import { EventLog, Subscribers } from "../events/event-log.js"
import type { JournalRecord } from "../journal/journal.js"
import type { IdleRunCache, Unloadable } from "./idle-run-cache.js"
import { type Run, RunHandle } from "./run.js"
import type { RunOperations } from "./run-controls.js"
import { RunExecution } from "./run-execution.js"
import type { RunOwner } from "./run-owner.js"
import type { RunParts } from "./run-parts.js"

/**
 * Data of a run whose invocation has ended. It has only a weak reference to the run, so that the
 * run can be garbage collected.
 */
interface EndedRun {
  readonly run: WeakRef<ManagedRun>
  readonly subscribers: Subscribers
  /** Ends the ownership of the run in the journal, so that other processes can resume the run. */
  readonly release: () => MaybePromise<void>
}

/** The open, waiting and ended runs of one runner. */
export interface RunRegistry {
  /** Open runs by run id. When the runner is closed, it suspends these runs. */
  readonly open: Map<string, ManagedRun>
  /** Cache of the runs in memory that wait for a person. */
  readonly idle: IdleRunCache<ManagedRun>
  /**
   * Subscribers of ended runs, and ended runs that this process still owns. When the runner is
   * closed, it completes the event streams and releases the runs. The references to the runs are
   * weak, so that the runs can be garbage collected.
   */
  readonly ended: {
    readonly subscribers: Set<Subscribers>
    /** Ended runs that this process still owns in the journal, by run id. */
    readonly owned: Map<string, EndedRun>
  }
  /**
   * Object that represents the time until the runner is closed. `close` replaces it by a new
   * object. A run stores the object that was current when the run was created. If the objects
   * differ, the runner was closed in the meantime.
   */
  generation: object
}

/**
 * A run whose execution the runner can unload while the run waits for a person. An unloaded run
 * keeps only its header, its pending requests and its subscribers in memory. When the run is needed
 * again, its execution is reloaded from the journal.
 */
export class ManagedRun implements RunOperations, RunOwner, Unloadable {
  readonly run: Run
  readonly log: EventLog
  invocation = new Deferred<RunResult>()
  readonly #parts: RunParts
  readonly #registry: RunRegistry
  readonly #generation: object
  /**
   * Resolves when the journal has released the suspended run. null if the run is not being
   * suspended.
   */
  #released: Deferred<void> | null = null
  /** Object that executes the run. null while the run is unloaded. */
  #execution: RunExecution | null = null
  #pendingWhileUnloaded: readonly PendingRequest[] = []

  /**
   * `subscribers` are the subscribers of another `ManagedRun` that executed the same run before.
   * They only receive the events that they have not received yet.
   */
  constructor(parts: RunParts, registry: RunRegistry, subscribers = new Subscribers()) {
    this.#parts = parts
    this.#registry = registry
    this.#generation = registry.generation
    this.log = new EventLog(parts.header.runId, subscribers)
    subscribers.trackIn(null)
    this.run = new RunHandle(this, parts.header.runId, this.log)
  }

  /**
   * Starts the run, or resumes it from the records in `past`. Calls `before` after the records in
   * `past` have been processed and before any call is made.
   */
  open(past: readonly JournalRecord[] | null, before: (run: Run) => void = () => {}): void {
    this.#execution = new RunExecution(this.#parts, past !== null, this)
    try {
      this.#execution.open(past, () => before(this.run))
    } catch (error) {
      this.#parts.session?.release()
      this.#unregister()
      throw error
    }
  }

  /**
   * Stops the run without storing a record, so that it can be resumed. Resolves after the journal
   * has released the run.
   */
  async suspend(): Promise<void> {
    this.#released ??= new Deferred()
    this.#load().suspend()
    await this.#released.promise
  }

  onWaiting(): void {
    this.#registry.idle.touch(this)
  }

  onInvocationEnded(release: () => MaybePromise<void>): void {
    const { ended } = this.#registry
    const { subscribers } = this.log
    this.#unregister()
    subscribers.trackIn(ended.subscribers)
    if (this.#parts.journal.forgets !== true)
      ended.owned.set(this.run.runId, { run: new WeakRef(this), subscribers, release })
  }

  onReleased(): void {
    this.#registry.idle.delete(this)
    this.#unregister()
    this.#released?.settle()
  }

  /**
   * Removes the run from the open runs of the runner, unless another `ManagedRun` has resumed it in
   * the meantime.
   */
  #unregister(): void {
    const { open } = this.#registry
    if (open.get(this.run.runId) === this) open.delete(this.run.runId)
  }

  /**
   * Returns the object that executes the run, and reloads it first if the run is unloaded. Also
   * marks the run as active, so that the runner does not unload it.
   */
  #activate(): RunExecution {
    const { open, idle, ended } = this.#registry
    const execution = this.#load()
    idle.delete(this)
    if (execution.isOpen()) open.set(this.run.runId, this)
    this.log.subscribers.trackIn(null)
    ended.owned.delete(this.run.runId)
    return execution
  }

  /**
   * Returns the object that executes the run. If the run is unloaded, reloads it from the journal
   * first.
   */
  #load(): RunExecution {
    if (this.#execution !== null) return this.#execution
    const { journal, header } = this.#parts
    const stored = journal.load(header.runId)
    if (stored === null || isPromise(stored))
      throw new AgentStatechartsError(
        "run_unknown",
        `the run "${header.runId}" no longer exists in the journal`,
      )
    this.#pendingWhileUnloaded = []
    this.log.startReload()
    const execution = new RunExecution(this.#parts, true, this)
    this.#execution = execution
    execution.open(stored.records, () => {})
    return execution
  }

  unload(): "unloaded" | "busy" | "unsupported" {
    const { journal, header } = this.#parts
    if (this.#execution?.canUnload !== true || this.log.isEmitting) return "busy"
    // If the journal cannot load the run, the run stays in memory. This is not an error of the run.
    const stored = recover(
      () => journal.load(header.runId),
      () => null,
    )
    if (stored === null || isPromise(stored)) return "unsupported"
    this.#pendingWhileUnloaded = this.#execution.pending()
    this.#execution = null
    this.log.unload(() => void this.#load())
    return "unloaded"
  }

  get result(): Promise<RunResult> {
    return this.invocation.promise
  }

  /**
   * True if the run has ended because of its journal: the journal failed, is corrupt, or another
   * process owns the run.
   */
  get hasLostJournal(): boolean {
    const code = this.#execution?.snapshot().error?.code
    return code === "run_owned" || code === "journal_failed" || code === "journal_corrupt"
  }

  /**
   * Current status of the run. It is `waiting` for an unloaded run, because only waiting runs are
   * unloaded.
   */
  get status(): RunStatus {
    return this.#execution?.status ?? "waiting"
  }

  get stopping(): "completed" | "cancelled" | null {
    return this.#execution?.stopping ?? null
  }

  get chart(): AgentChart {
    return this.#parts.header.chart
  }

  /**
   * True if the runner was closed after this object was created. Another object may then resume the
   * run.
   */
  get isClosed(): boolean {
    return this.#generation !== this.#registry.generation
  }

  isOpen(): boolean {
    return !this.isClosed && (this.#execution?.isOpen() ?? true)
  }

  isBetweenInvocations(): boolean {
    return this.#execution?.isBetweenInvocations() ?? false
  }

  now(): number {
    return this.#parts.host.now()
  }

  pending(): readonly PendingRequest[] {
    return this.#execution?.pending() ?? this.#pendingWhileUnloaded
  }

  reply(reply: Reply): MaybePromise<TaskFailure> {
    return this.#activate().reply(reply)
  }

  stop(as: "completed" | "cancelled"): MaybePromise<TaskFailure> {
    return this.#activate().stop(as)
  }

  snapshot(): RunResult {
    return this.#load().snapshot()
  }

  whenSettled(): Promise<RunResult> {
    return this.#load().whenSettled()
  }
}
