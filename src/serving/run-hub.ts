import type { AgentChart } from "../machines/contract/agent-chart.js"
import { eventsSoFar } from "../runtime/run/events-so-far.js"
import type { CompleteJournal, JournalHeader } from "../runtime/journal/journal.js"
import { isResumable, type RunSummary, type StoredRun } from "../runtime/journal/journal.js"
import { loadRun } from "../runtime/journal/stored-run.js"
import type { RunMessage } from "../runtime/run/run-message.js"
import type { Runner } from "../runtime/runner/runner.js"
import type { StartOptions } from "../runtime/runner/runner-options.js"
import type { Run } from "../runtime/run/run.js"
import { type ForkChanges, storeFork } from "./store-fork.js"
import type { EventFeed } from "./live-run.js"
import { LiveRun } from "./live-run.js"
import { HttpError } from "./http-error.js"
import type { HubRun, LiveEntry, NewEntry, RunDetails } from "./run-details.js"
import { passMessage, receiveMessage } from "./pass-message.js"
import { entryOf, hubRun, liveDetails, liveSummary, storedDetails } from "./run-details.js"
import { runExists, runFinished, runUnknown } from "./run-errors.js"
import { optionsOf, originOf, type RunOrigin } from "./run-origin.js"
import type { OpenRunServices, RunStores } from "./run-services.js"
import { Runners } from "./runners.js"
import { settledWithin } from "./settled-within.js"
import { storedEvents } from "./stored-events.js"

/**
 * Manages the runs of one journal for a server. A run that this process executes is called live.
 * Data of all other runs is read from the journal.
 */
export class RunHub {
  readonly #journal: CompleteJournal
  readonly #openServices: OpenRunServices
  readonly #runners: Runners
  readonly #onLive: (live: LiveRun, entry: NewEntry) => void
  readonly #live = new Map<string, LiveEntry>()
  /**
   * Runs that are being started or resumed, by run id. Concurrent requests for the same run share
   * the promise.
   */
  readonly #opening = new Map<string, Promise<LiveRun>>()

  /**
   * Creates a hub for the runs of `journal`. If `stores` has no session store, sessions are kept in
   * memory. Each run that the hub has started or resumed, except child runs, is passed to `onLive`.
   */
  constructor(
    journal: CompleteJournal,
    openServices: OpenRunServices,
    stores: RunStores = {},
    onLive: (live: LiveRun, entry: NewEntry) => void = () => {},
  ) {
    this.#journal = journal
    this.#openServices = openServices
    this.#onLive = onLive
    this.#runners = new Runners(journal, stores, (runId) => this.findLive(runId)?.run ?? null)
    journal.messages?.receive((runId, message) =>
      // The cast is safe, because another hub has sent the message.
      receiveMessage(() => this.#giveHere(runId, message as RunMessage)),
    )
  }

  /** Number of runs that this process executes, is starting or is resuming. */
  get openCount(): number {
    return this.#live.size + this.#opening.size
  }

  /** Returns all runs of the journal, most recently started first. */
  async list(): Promise<readonly HubRun[]> {
    const stored = await this.#journal.list()
    const storedIds = new Set(stored.map(({ runId }) => runId))
    const notListed = [...this.#live].flatMap(([runId, entry]) =>
      storedIds.has(runId) ? [] : [liveSummary(runId, entry)],
    )
    return [...stored, ...notListed]
      .sort((one, other) => other.startedAt - one.startedAt)
      .map((summary) => this.#hubRun(summary))
  }

  /** Returns the runs that no process executes although they could continue without a message. */
  async resumable(now: number): Promise<readonly RunSummary[]> {
    return (await this.#journal.list({ resumableAt: now })).filter((run) => isResumable(run, now))
  }

  /**
   * Returns a run with its events and its result. Does not read the list of all runs.
   *
   * @throws AgentStatechartsError `run_unknown`
   */
  async details(runId: string): Promise<RunDetails> {
    const entry = this.#live.get(runId)
    return entry === undefined
      ? storedDetails(runId, await loadRun(this.#journal, runId))
      : liveDetails(runId, entry)
  }

  /** Returns whether a run with this id exists. */
  async has(runId: string): Promise<boolean> {
    return this.#live.has(runId) || (await this.#journal.load(runId)) !== null
  }

  /**
   * Returns the list entry of a run, its journal records, and the files from which it was started.
   *
   * @throws HttpError or AgentStatechartsError `run_unknown`
   */
  async load(
    runId: string,
  ): Promise<HubRun & { readonly stored: StoredRun; readonly origin: RunOrigin }> {
    const stored = await loadRun(this.#journal, runId)
    const summary = await this.summary(runId)
    return {
      ...summary,
      stored,
      origin: originOf(stored.header.about),
    }
  }

  /**
   * Returns the list entry of a run. If this process executes the run, does not read the journal.
   *
   * @throws HttpError `run_unknown`
   */
  async summary(runId: string): Promise<HubRun> {
    const entry = this.#live.get(runId)
    // If another process executes the run, only `list` of the journal returns its status and owner.
    const summary =
      entry === undefined
        ? (await this.#journal.list()).find((one) => one.runId === runId)
        : liveSummary(runId, entry)
    if (summary === undefined) throw runUnknown(runId)
    return this.#hubRun(summary)
  }

  /**
   * Returns the list of a run's events. If this process executes the run, the list is in memory and
   * grows with the run. Otherwise, the list is computed from the journal records.
   */
  async events(runId: string): Promise<EventFeed> {
    return this.#live.get(runId)?.live ?? (await storedEvents(this.#journal, runId))
  }

  /**
   * Starts a run and resolves to its run id when the journal has stored the run. Default id: a
   * random UUID. `openServices` replaces the function that opens the services of runs.
   *
   * @throws HttpError `run_exists` if the id is in use, or the error that occurred while the run
   * was stored
   */
  async start(
    chart: AgentChart,
    origin: RunOrigin,
    options: StartOptions,
    openServices: OpenRunServices = this.#openServices,
  ): Promise<string> {
    const { runId = crypto.randomUUID(), about: given } = options
    if (this.#live.has(runId) || this.#opening.has(runId)) throw runExists(runId)
    const about = { ...given, origin, services: optionsOf(origin) }
    await this.#openOnce(runId, async () => {
      if (options.runId !== undefined && (await this.has(runId))) throw runExists(runId)
      const begin = (runner: Runner): Run => runner.start(chart, { ...options, runId, about })
      return this.#execute(runId, { chart, about }, begin, openServices)
    })
    return runId
  }

  /** Returns the run with this id, or null if this process does not execute the run. */
  findLive(runId: string): LiveRun | null {
    return this.#live.get(runId)?.live ?? null
  }

  /**
   * Returns the run with this id. If this process does not execute the run, first resumes the run
   * in this process.
   *
   * @throws HttpError `run_finished`
   * @throws AgentStatechartsError `run_unknown`, or `run_owned` if another process executes the run
   */
  async ensureLive(runId: string): Promise<LiveRun> {
    return (
      this.#live.get(runId)?.live ??
      this.#opening.get(runId) ??
      this.#openOnce(runId, () => this.#resume(runId))
    )
  }

  /** Resumes a run in this process. Does nothing if this process already executes the run. */
  async resume(runId: string): Promise<void> {
    await this.ensureLive(runId)
  }

  /**
   * Sends a message to a run. If no process executes the run, resumes the run first. If another
   * process executes the run, passes the message to this process. Resolves when the journal has
   * stored the message. For `cancel` and `end`, resolves when the run has ended.
   */
  give(runId: string, message: RunMessage): Promise<void> {
    const giveHere = (): Promise<void> => this.#giveHere(runId, message)
    return passMessage(this.#journal.messages, runId, message, giveHere)
  }

  async #giveHere(runId: string, message: RunMessage): Promise<void> {
    const wasLive = this.#live.has(runId)
    const live = await this.ensureLive(runId)
    const endsRun = message.type === "cancel" || message.type === "end"
    // After a run was resumed, its pending requests may be created only when it has settled.
    if (!wasLive && !endsRun && live.run.pending().length === 0) await live.run.whenSettled()
    await live.run.give(message)
    if (endsRun) await live.ended
  }

  /** Creates a fork of a run, starts to execute the fork, and returns its run id. */
  async fork(runId: string, changes: ForkChanges): Promise<string> {
    const forkId = await storeFork(this.#journal, runId, changes)
    await this.resume(forkId)
    return forkId
  }

  /** Suspends all runs of this process. First waits up to `drainMs` until no call is in flight. */
  async close(drainMs = 0): Promise<void> {
    await Promise.allSettled(this.#opening.values())
    const all = [...this.#live.values()]
    await settledWithin(all, drainMs)
    await this.#runners.close()
    await Promise.all(all.map(({ live }) => live.closed))
  }

  async #openOnce(runId: string, open: () => Promise<LiveRun>): Promise<LiveRun> {
    const opening = open()
    this.#opening.set(runId, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(runId)
    }
  }

  async #resume(runId: string): Promise<LiveRun> {
    const { header } = await loadRun(this.#journal, runId)
    const child = await this.#runners.findChild(runId)
    if (child !== null) return this.#follow(child, header)
    const live = await this.#execute(runId, entryOf(header), (runner, before) =>
      runner.resume(runId, { before }),
    )
    if (live.hasEnded) throw runFinished(runId)
    return live
  }

  /** Adds a child run to the live runs, which are the runs that this process executes. */
  #follow(run: Run, header: JournalHeader): LiveRun {
    const live = new LiveRun(run, async () => {})
    this.#live.set(run.runId, {
      startedAt: live.events[0]?.at ?? Date.now(),
      ...entryOf(header),
      live,
    })
    void live.closed.finally(() => this.#live.delete(run.runId))
    return live
  }

  /**
   * Opens the services of a run and starts or resumes the run. Resolves when the journal has stored
   * the run.
   */
  async #execute(
    runId: string,
    entry: NewEntry,
    begin: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>,
    openServices: OpenRunServices = this.#openServices,
  ): Promise<LiveRun> {
    const services = await openServices(entry.chart, originOf(entry.about))
    const { runner, close } = this.#runners.runnerFor(services)
    const watch = this.#runners.watchStored(runId)
    let run: Run
    try {
      run = await begin(runner, (resumed) => services.resume?.(eventsSoFar(resumed)))
    } catch (error) {
      watch.stopWatching()
      await close()
      throw error
    }
    const live = new LiveRun(run, close)
    this.#live.set(runId, { startedAt: live.events[0]?.at ?? Date.now(), ...entry, live })
    const removed = live.closed.finally(() => this.#live.delete(runId))
    // The caller may use the run id immediately, so the journal must contain the run before this
    // method returns.
    const isStored = await Promise.race([watch.stored.then(() => true), removed.then(() => false)])
    watch.stopWatching()
    if (isStored) {
      this.#onLive(live, entry)
      return live
    }
    const {
      code = "journal_failed",
      message = "the journal did not store the run, so the run was not started",
    } = run.snapshot().error ?? {}
    throw new HttpError(503, { code, message })
  }

  #hubRun(summary: RunSummary): HubRun {
    return hubRun(summary, this.#live.get(summary.runId)?.live)
  }
}
