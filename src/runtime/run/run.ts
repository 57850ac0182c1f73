import type { Observable } from "rxjs"
import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunError, RunEvent, RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { TaskFailure } from "../async/serial-queue.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { Deferred } from "../async/deferred.js"
import type { Subscribers } from "../events/event-log.js"
import { EventLog } from "../events/event-log.js"
import type { Host, LeafCall } from "../driver/host.js"
import type { IdleRunCache, Unloadable } from "./idle-run-cache.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Instance } from "../driver/instance.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import type { SharedRunState } from "./shared-run-state.js"
import { OpenRun } from "./open-run.js"
import type { RunOperations, RunControls } from "./run-controls.js"
import { ControlledRun } from "./run-controls.js"
import type { RunSession } from "../session/run-session.js"
import type { Ready } from "../async/when-ready.js"
import { isLater, recover } from "../async/when-ready.js"

/** One execution of a chart. */
export interface Run extends RunControls {
  readonly runId: string
  /** The current status of the run. Cheaper than `snapshot()`, which copies the state. */
  readonly status: RunStatus
  /** All events of the run in order, past events first. Completes when the run has finished. */
  readonly events$: Observable<RunEvent>
}

/** Everything that a run needs. */
export interface RunParts {
  readonly header: JournalHeader
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /** Why the run cannot start; null if it can. */
  readonly refusal: RunError | null
  /** The session of the run; null for a standalone run. */
  readonly session: RunSession | null
  /** Receives every call and every machine that stops, also during a replay. */
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

/** The public interface of a run. */
export class StartedRun extends ControlledRun implements Run {
  readonly runId: string
  readonly #controlled: { readonly status: RunStatus }
  readonly #log: EventLog

  constructor(
    controlled: RunOperations & { readonly status: RunStatus },
    runId: string,
    log: EventLog,
  ) {
    super(controlled)
    this.runId = runId
    this.#controlled = controlled
    this.#log = log
  }

  get status(): RunStatus {
    return this.#controlled.status
  }

  get events$(): Observable<RunEvent> {
    return this.#log.events$
  }
}

/** The runs of a runner. */
export interface RunRegistry {
  readonly open: Set<ManagedRun>
  readonly idle: IdleRunCache<ManagedRun>
  /** Cleanup of ended runs when the runner closes. It does not keep the runs themselves in memory. */
  readonly done: {
    readonly subscribers: Set<Subscribers>
    readonly journals: Map<string, () => Ready<void>>
  }
  /** A new object after each close of the runner. Runs of an earlier generation are closed. */
  generation: object
}

/**
 * A run that its runner can unload while it waits for a person. An unloaded run keeps only its header,
 * its pending requests and its subscribers. The rest is reloaded from the journal when needed.
 */
export class ManagedRun implements RunOperations, SharedRunState, Unloadable {
  readonly run: Run
  readonly log: EventLog
  invocation = new Deferred<RunResult>()
  readonly #parts: RunParts
  readonly #registry: RunRegistry
  #released: Deferred<void> | null = null
  #open: OpenRun | null = null
  /** The pending requests of the unloaded run. */
  #pendingWhileUnloaded: readonly PendingRequest[] = []
  readonly #generation: object

  constructor(parts: RunParts, registry: RunRegistry) {
    this.#parts = parts
    this.#registry = registry
    this.#generation = registry.generation
    this.log = new EventLog(parts.header.runId)
    this.run = new StartedRun(this, parts.header.runId, this.log)
  }

  /** Starts the run, or resumes it from the records in `past`. `before` is called before any call is made. */
  open(past: readonly JournalRecord[] | null, before: (run: Run) => void = () => {}): void {
    this.#open = new OpenRun(this.#parts, past !== null, this)
    try {
      this.#open.open(past, () => before(this.run))
    } catch (error) {
      this.#parts.session?.release()
      this.#registry.open.delete(this)
      throw error
    }
  }

  /** Stops the run in this process without a record, so that it can be resumed. Resolves after the journal has released it. */
  async suspend(): Promise<void> {
    this.#released ??= new Deferred()
    this.#load().suspend()
    await this.#released.promise
  }

  onIdle(): void {
    this.#registry.idle.touch(this)
  }

  onInvocationEnded(release: () => Ready<void>): void {
    const { open, done } = this.#registry
    open.delete(this)
    this.log.subscribers.trackIn(done.subscribers)
    if (this.#parts.journal.forgets !== true) done.journals.set(this.run.runId, release)
  }

  /** Loads the run and marks it as active, so that the runner keeps it in memory. */
  #activate(): OpenRun {
    const { open, idle, done } = this.#registry
    const run = this.#load()
    idle.delete(this)
    if (run.isOpen()) open.add(this)
    this.log.subscribers.trackIn(null)
    done.journals.delete(this.run.runId)
    return run
  }

  onReleased(): void {
    this.#registry.idle.delete(this)
    this.#registry.open.delete(this)
    this.#released?.settle()
  }

  unload(): "unloaded" | "busy" | "unsupported" {
    const { journal, header } = this.#parts
    if (this.#open?.canUnload !== true || this.log.isEmitting) return "busy"
    // If the journal fails, the run stays loaded. The failure is not an error of this run.
    const stored = recover(
      () => journal.load(header.runId),
      () => null,
    )
    if (stored === null || isLater(stored)) return "unsupported"
    this.#pendingWhileUnloaded = this.#open.pending()
    this.#open = null
    this.log.unload(() => void this.#load())
    return "unloaded"
  }

  /** Returns the loaded run. Reloads it from its journal if it was unloaded. */
  #load(): OpenRun {
    if (this.#open !== null) return this.#open
    const { journal, header } = this.#parts
    const stored = journal.load(header.runId)
    if (stored === null || isLater(stored))
      throw new AgentStatechartsError(
        "run_unknown",
        `the run "${header.runId}" no longer exists in the journal`,
      )
    this.#pendingWhileUnloaded = []
    this.log.startReload()
    const open = new OpenRun(this.#parts, true, this)
    this.#open = open
    open.open(stored.records, () => {})
    return open
  }

  get result(): Promise<RunResult> {
    return this.invocation.promise
  }

  get status(): RunStatus {
    return this.#open?.status ?? "waiting"
  }

  isOpen(): boolean {
    return this.#generation === this.#registry.generation && (this.#open?.isOpen() ?? true)
  }

  isBetweenInvocations(): boolean {
    return this.#open?.isBetweenInvocations() ?? false
  }

  now(): number {
    return this.#parts.host.now()
  }

  pending(): readonly PendingRequest[] {
    return this.#open?.pending() ?? this.#pendingWhileUnloaded
  }

  get stopping(): "completed" | "cancelled" | null {
    return this.#open?.stopping ?? null
  }

  reply(reply: Reply): Ready<TaskFailure> {
    return this.#activate().reply(reply)
  }

  stop(as: "completed" | "cancelled"): Ready<TaskFailure> {
    return this.#activate().stop(as)
  }

  snapshot(): RunResult {
    return this.#load().snapshot()
  }

  whenSettled(): Promise<RunResult> {
    return this.#load().whenSettled()
  }
}
