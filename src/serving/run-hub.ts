import type { AgentChart } from "../machines/agent-chart.js"
import type { RunEvent } from "../machines/run-event.js"
import type { Journal, RunSummary, StoredRun } from "../runtime/journal.js"
import { fork } from "../runtime/past/fork.js"
import { loadRun, storeRun } from "../runtime/past/stored-run.js"
import type { RunMessage } from "../runtime/run-message.js"
import { giveMessage } from "../runtime/run-message.js"
import type { Runner, StartOptions } from "../runtime/runner.js"
import { createRunner } from "../runtime/runner.js"
import type { Run } from "../runtime/run.js"
import type { EventSource } from "./live-run.js"
import { LiveRun } from "./live-run.js"
import { HttpRefusal } from "./refuse.js"
import { storedEvents } from "./stored-events.js"
import type { OpenRunServices } from "./run-services.js"

/** What is kept with a run, to take it up with the same services. */
export interface Origin {
  readonly file: string | null
  readonly scenario: string | null
}

/** How a run stands, for lists. */
export interface HubRun extends Omit<RunSummary, "status"> {
  /** `interrupted`: nobody carries it on. */
  readonly status: RunSummary["status"] | "interrupted"
  /** Whether this process carries it on. */
  readonly isHere: boolean
}

export interface ForkChanges {
  readonly at: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
}

/** The runs of one journal: those that this process carries on, and those of others. */
export class RunHub {
  readonly #journal: Required<Journal>
  readonly #openServices: OpenRunServices
  readonly #live = new Map<string, LiveRun>()
  /** What is being taken up, so that two clicks do it once. */
  readonly #opening = new Map<string, Promise<LiveRun>>()

  constructor(journal: Required<Journal>, openServices: OpenRunServices) {
    this.#journal = journal
    this.#openServices = openServices
  }

  /** The newest first. */
  async list(): Promise<readonly HubRun[]> {
    const all = [...(await this.#journal.list())].sort((one, other) => other.startedAt - one.startedAt)
    return all.map((summary) => this.#told(summary))
  }

  async open(runId: string): Promise<HubRun & { readonly stored: StoredRun; readonly origin: Origin }> {
    const stored = await loadRun(this.#journal, runId)
    const { header } = stored
    // Only of a run that somebody else has, or nobody, the journal knows more.
    const here = this.#live.has(runId) ? { runId, chart: header.chart.id, startedAt: header.at, status: "running" as const, pending: [], owner: null } : null
    const summary = here ?? (await this.#journal.list()).find((one) => one.runId === runId)
    if (summary === undefined) throw new HttpRefusal(404, { code: "run_unknown", message: `there is no run "${runId}"` })
    return { ...this.#told(summary), stored, origin: originOf(stored.header.about) }
  }

  async events(runId: string): Promise<EventSource> {
    return this.#live.get(runId) ?? (await storedEvents(this.#journal, runId))
  }

  start(chart: AgentChart, origin: Origin, options: StartOptions): Promise<string> {
    return this.#carry(chart, origin.scenario, (runner) => runner.start(chart, { ...options, about: { origin, services: origin.scenario === null ? "" : `--scripted ${origin.scenario}` } }))
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

  async fork(runId: string, { at, state, remove }: ForkChanges): Promise<string> {
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
    if (live === undefined) throw new HttpRefusal(409, { code: "run_finished", message: `run "${runId}" has finished` })
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

  #told({ runId, chart, startedAt, status, pending, owner }: RunSummary): HubRun {
    const here = this.#live.get(runId)
    const standing = here?.run.snapshot().status ?? status
    const isInterrupted = here === undefined && standing === "running" && owner === null
    return { runId, chart, startedAt, status: isInterrupted ? "interrupted" : standing, pending: here?.run.pending() ?? pending, isHere: here !== undefined, owner: here === undefined ? owner : null }
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
  const origin = about?.["origin"]
  const { file, scenario } = typeof origin === "object" && origin !== null ? (origin as Readonly<Record<string, unknown>>) : { file: null, scenario: null }
  return { file: typeof file === "string" ? file : null, scenario: typeof scenario === "string" ? scenario : scenarioIn(about?.["services"]) }
}

/** As the command line keeps it. */
const scenarioIn = (services: unknown): string | null => (typeof services === "string" ? (/^--scripted (\S+)$/.exec(services)?.[1] ?? null) : null)
