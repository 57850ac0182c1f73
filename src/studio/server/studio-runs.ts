import type { AgentChart } from "../../machines/agent-chart.js"
import type { RunEvent } from "../../machines/run-event.js"
import { textOfContent } from "../../machines/user-content.js"
import type { Journal, RunSummary, StoredRun } from "../../runtime/journal.js"
import { fork } from "../../runtime/past/fork.js"
import { runAt } from "../../runtime/past/run-at.js"
import { loadRun, storeRun } from "../../runtime/past/stored-run.js"
import type { RunMessage } from "../../runtime/run-message.js"
import { giveMessage } from "../../runtime/run-message.js"
import type { Runner, StartOptions } from "../../runtime/runner.js"
import { createRunner } from "../../runtime/runner.js"
import type { Run } from "../../runtime/run.js"
import type { ForkRequest, OpenedRun, StudioPast, StudioRun } from "../api.js"
import type { DrawChart } from "./check-text.js"
import type { EventSource } from "./live-run.js"
import { LiveRun } from "./live-run.js"
import { StudioRefusal } from "./refuse.js"
import { storedEvents } from "./stored-events.js"
import type { OpenStudioServices } from "./studio-services.js"

/** What the studio keeps with a run, to take it up with the same services. */
interface Origin {
  readonly file: string | null
  readonly scenario: string | null
}

/** The runs of one journal: those that the studio carries on, and those of other processes. */
export class StudioRuns {
  readonly #journal: Required<Journal>
  readonly #openServices: OpenStudioServices
  readonly #draw: DrawChart
  readonly #live = new Map<string, LiveRun>()
  /** What is being taken up, so that two clicks do it once. */
  readonly #opening = new Map<string, Promise<LiveRun>>()

  constructor(journal: Required<Journal>, openServices: OpenStudioServices, draw: DrawChart) {
    this.#journal = journal
    this.#openServices = openServices
    this.#draw = draw
  }

  /** The newest first. */
  async list(): Promise<readonly StudioRun[]> {
    const all = [...(await this.#journal.list())].sort((one, other) => other.startedAt - one.startedAt)
    return all.map((summary) => this.#told(summary))
  }

  async open(runId: string): Promise<OpenedRun> {
    const { header } = await loadRun(this.#journal, runId)
    const summary = (await this.#journal.list()).find((one) => one.runId === runId)
    if (summary === undefined) throw new StudioRefusal(404, { code: "run_unknown", message: `there is no run "${runId}"` })
    const { prompt } = header.input
    return {
      ...this.#told(summary),
      svg: await this.#draw(header.chart),
      file: originOf(header.about).file,
      prompt: prompt === null ? null : textOfContent(prompt),
      forkedFrom: header.forkedFrom ?? null,
    }
  }

  async events(runId: string): Promise<EventSource> {
    return this.#live.get(runId) ?? (await storedEvents(this.#journal, runId))
  }

  /** As it stood after a number of records, or, with `seen`, when so many events had been told. */
  async at(runId: string, where: { readonly at?: number; readonly seen?: number }): Promise<StudioPast> {
    const stored = await loadRun(this.#journal, runId)
    const at = where.at ?? (where.seen === undefined ? stored.records.length : positionOf(stored, where.seen))
    const { events, record: _record, ...view } = runAt(stored, { at })
    return { ...view, seen: events.length }
  }

  start(chart: AgentChart, origin: Origin, options: StartOptions): Promise<string> {
    return this.#carry(chart, origin.scenario, (runner) => runner.start(chart, { ...options, about: { studio: origin, services: origin.scenario === null ? "" : `--scripted ${origin.scenario}` } }))
  }

  async resume(runId: string): Promise<void> {
    await this.#taken(runId)
  }

  /** A run that rests or was interrupted is taken up for it. */
  async give(runId: string, message: RunMessage): Promise<void> {
    const { run } = await this.#taken(runId)
    if (message.type !== "cancel" && message.type !== "end") await run.rest()
    giveMessage(run, message)
  }

  async fork(runId: string, { at, state, remove }: ForkRequest): Promise<string> {
    const stored = await loadRun(this.#journal, runId)
    const forkId = crypto.randomUUID()
    const changes = { ...(state === undefined ? {} : { state }), ...(remove === undefined ? {} : { remove }) }
    await storeRun(this.#journal, fork(stored, { at, runId: forkId, now: Date.now(), ...changes }))
    await this.resume(forkId)
    return forkId
  }

  /** Leaves every run as it is. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values())
    await Promise.all([...this.#live.values()].map((live) => live.leave()))
  }

  async #taken(runId: string): Promise<LiveRun> {
    const live = this.#live.get(runId) ?? this.#opening.get(runId)
    if (live !== undefined) return live
    const opening = this.#takeUp(runId)
    this.#opening.set(runId, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(runId)
    }
  }

  async #takeUp(runId: string): Promise<LiveRun> {
    const { header } = await loadRun(this.#journal, runId)
    const id = await this.#carry(header.chart, originOf(header.about).scenario, (runner, before) => runner.resume(runId, { before }))
    const live = this.#live.get(id)
    if (live === undefined) throw new StudioRefusal(409, { code: "run_finished", message: `run "${runId}" has finished` })
    return live
  }

  async #carry(chart: AgentChart, scenario: string | null, begin: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>): Promise<string> {
    const services = await this.#openServices(chart, scenario)
    const { journal, isStored } = telling(this.#journal)
    const runner = createRunner({ ...services.calls, journal })
    let run: Run
    try {
      run = await begin(runner, (resumed) => services.resume?.(eventsSoFar(resumed)))
    } catch (error) {
      await services.close()
      throw error
    }
    const live = new LiveRun(run, runner, services)
    this.#live.set(run.runId, live)
    const gone = live.left.finally(() => this.#live.delete(run.runId))
    // Whoever is told of the run finds it in the journal.
    await Promise.race([isStored, gone])
    return run.runId
  }

  #told({ runId, chart, startedAt, status, pending, owner }: RunSummary): StudioRun {
    const here = this.#live.get(runId)
    const standing = here?.run.snapshot().status ?? status
    return { runId, chart, startedAt, status: standing === "running" && owner === null ? "interrupted" : standing, pending: here?.run.pending() ?? pending, isHere: here !== undefined, owner: here === undefined ? owner : null }
  }
}

/** The same journal, and when it has stored or taken up a run. */
function telling(journal: Required<Journal>): { readonly journal: Required<Journal>; readonly isStored: Promise<void> } {
  let stored = (): void => {}
  const isStored = new Promise<void>((resolve) => (stored = resolve))
  const create: Journal["create"] = async (header) => {
    await journal.create(header)
    stored()
  }
  const acquire = async (runId: string): Promise<void> => {
    await journal.acquire(runId)
    stored()
  }
  return { journal: { ...journal, create, acquire }, isStored }
}

function eventsSoFar(run: Run): readonly RunEvent[] {
  const events: RunEvent[] = []
  run.events$.subscribe((event) => void events.push(event)).unsubscribe()
  return events
}

/** What whoever wrote the header says is not to be trusted. */
function originOf(about: Readonly<Record<string, unknown>> | undefined): Origin {
  const origin = about?.["studio"]
  const { file, scenario } = typeof origin === "object" && origin !== null ? (origin as Readonly<Record<string, unknown>>) : { file: null, scenario: null }
  return { file: typeof file === "string" ? file : null, scenario: typeof scenario === "string" ? scenario : scenarioIn(about?.["services"]) }
}

/** As the command line keeps it. */
const scenarioIn = (services: unknown): string | null => (typeof services === "string" ? (/^--scripted (\S+)$/.exec(services)?.[1] ?? null) : null)

/** The first position at which so many events had been told. */
function positionOf(stored: StoredRun, seen: number): number {
  let [low, high] = [0, stored.records.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (runAt(stored, { at: middle }).events.length >= seen) high = middle
    else low = middle + 1
  }
  return low
}
