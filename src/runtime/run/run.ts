import type { Observable } from "rxjs"
import { AgentStatechartsError } from "../../errors.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunError, RunEvent, RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { Failure } from "../async/serial-queue.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { Deferred } from "../async/deferred.js"
import type { Audience } from "../events/event-log.js"
import { EventLog } from "../events/event-log.js"
import type { Host, LeafCall } from "../driver/host.js"
import type { IdleRunCache, Unloadable } from "./idle-run-cache.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Instance } from "../driver/instance.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import type { SharedRunState } from "./shared-run-state.js"
import { OpenRun } from "./open-run.js"
import type { Controlled, RunControls } from "./run-controls.js"
import { ControlledRun } from "./run-controls.js"
import type { RunSession } from "../session/run-session.js"
import type { Ready } from "../async/when-ready.js"
import { isLater, recover } from "../async/when-ready.js"

/** One execution of a chart. */
export interface Run extends RunControls {
  readonly runId: string
  /** How the run stands now, as in `snapshot()`, which copies the state. */
  readonly status: RunStatus
  /** Every event of the run in its order, the past first. Completes when the run has finished. */
  readonly events$: Observable<RunEvent>
}

/** What a run is made of. */
export interface RunParts {
  readonly header: JournalHeader
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /** Why the run cannot start, if so. */
  readonly refusal: RunError | null
  /** The session that it is an invocation in; null for a run that stands alone. */
  readonly session: RunSession | null
  /** Is told of every call and of every machine that ends, also while the past is fed. */
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

/** An open run as whoever starts it gets it. */
export class StartedRun extends ControlledRun implements Run {
  readonly runId: string
  readonly #standing: { readonly status: RunStatus }
  readonly #log: EventLog

  constructor(
    controlled: Controlled & { readonly status: RunStatus },
    runId: string,
    log: EventLog,
  ) {
    super(controlled)
    this.runId = runId
    this.#standing = controlled
    this.#log = log
  }

  get status(): RunStatus {
    return this.#standing.status
  }

  get events$(): Observable<RunEvent> {
    return this.#log.events$
  }
}

/** Who holds the runs of a runner. */
export interface RunRegistry {
  readonly open: Set<ManagedRun>
  readonly idle: IdleRunCache<ManagedRun>
  /** Of runs that are done, only what is left to do for them when the runner closes: so they go when nobody else holds them. */
  readonly done: {
    readonly audiences: Set<Audience>
    readonly journals: Map<string, () => Ready<void>>
  }
  /** Another one after the runner was closed. */
  generation: object
}

/** A run as its runner holds it. While it is put aside, it is its header, what it waits for, and whoever listens; its journal has the rest. */
export class ManagedRun implements Controlled, SharedRunState, Unloadable {
  readonly run: Run
  readonly log: EventLog
  invocation = new Deferred<RunResult>()
  readonly #parts: RunParts
  readonly #registry: RunRegistry
  #left: Deferred<void> | null = null
  #open: OpenRun | null = null
  /** What it waits for while it is put aside. */
  #asked: readonly PendingRequest[] = []
  readonly #generation: object

  constructor(parts: RunParts, registry: RunRegistry) {
    this.#parts = parts
    this.#registry = registry
    this.#generation = registry.generation
    this.log = new EventLog(parts.header.runId)
    this.run = new StartedRun(this, parts.header.runId, this.log)
  }

  /** Starts the run, or takes one up again by feeding it what its journal holds; `before` comes before calls are made again. */
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

  /** Stops here what the run is doing, without a record of it: whoever resumes the run goes on. Settles when its journal has let go of it. */
  async suspend(): Promise<void> {
    this.#left ??= new Deferred()
    this.#here().suspend()
    await this.#left.promise
  }

  rested(): void {
    this.#registry.idle.rests(this)
  }

  isDone(leave: () => Ready<void>): void {
    const { open, done } = this.#registry
    open.delete(this)
    this.log.audience.trackIn(done.audiences)
    if (this.#parts.journal.forgets !== true) done.journals.set(this.run.runId, leave)
  }

  /** It acts: while it does, its runner holds it. */
  #acts(): OpenRun {
    const { open, idle, done } = this.#registry
    const run = this.#here()
    idle.acts(this)
    if (run.isOpen()) open.add(this)
    this.log.audience.trackIn(null)
    done.journals.delete(this.run.runId)
    return run
  }

  isLeft(): void {
    this.#registry.idle.acts(this)
    this.#registry.open.delete(this)
    this.#left?.settle()
  }

  putAside(): "done" | "not now" | "never" {
    const { journal, header } = this.#parts
    if (this.#open?.isIdle !== true || this.log.isBusy) return "not now"
    // A journal that fails gives nothing back; it is not this run, nor the one that rests now, that has to hear of it.
    const stored = recover(
      () => journal.load(header.runId),
      () => null,
    )
    if (stored === null || isLater(stored)) return "never"
    this.#asked = this.#open.pending()
    this.#open = null
    this.log.putAside(() => void this.#here())
    return "done"
  }

  /** The run itself, brought back from its journal where it was put aside. */
  #here(): OpenRun {
    if (this.#open !== null) return this.#open
    const { journal, header } = this.#parts
    const stored = journal.load(header.runId)
    if (stored === null || isLater(stored))
      throw new AgentStatechartsError(
        "run_unknown",
        `the run "${header.runId}" no longer exists in the journal`,
      )
    this.#asked = []
    this.log.isBack()
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

  rests(): boolean {
    return this.#open?.rests() ?? false
  }

  now(): number {
    return this.#parts.host.now()
  }

  pending(): readonly PendingRequest[] {
    return this.#open?.pending() ?? this.#asked
  }

  get stopping(): "completed" | "cancelled" | null {
    return this.#open?.stopping ?? null
  }

  reply(reply: Reply): Ready<Failure> {
    return this.#acts().reply(reply)
  }

  stop(as: "completed" | "cancelled"): Ready<Failure> {
    return this.#acts().stop(as)
  }

  snapshot(): RunResult {
    return this.#here().snapshot()
  }

  rest(): Promise<RunResult> {
    return this.#here().rest()
  }
}
