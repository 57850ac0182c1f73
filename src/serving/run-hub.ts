import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import { eventsSoFar } from "../runtime/run/events-so-far.js"
import type { CompleteJournal, RunSummary, StoredRun } from "../runtime/journal/journal.js"
import { fork } from "../runtime/runner/fork.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import { loadRun, storeRun } from "../runtime/journal/stored-run.js"
import type { RunMessage } from "../runtime/run/run-message.js"
import type { Runner, StartOptions } from "../runtime/runner/runner.js"
import type { Run } from "../runtime/run/run.js"
import type { EventSource } from "./live-run.js"
import { LiveRun } from "./live-run.js"
import { HttpRefusal } from "./http-refusal.js"
import type { OpenRunServices } from "./run-services.js"
import { Runners } from "./runners.js"
import { storedEvents } from "./stored-events.js"

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

/** How one run stands, in full. */
export interface Standing {
  readonly runId: string
  readonly chart: AgentChart
  readonly origin: Origin
  readonly startedAt: number
  readonly isHere: boolean
  /** What its starter wanted to be kept. */
  readonly about: Readonly<Record<string, unknown>>
  /** Those that it has told so far. */
  readonly events: readonly RunEvent[]
  /** Status, text and state; while the run is open, of the finished work so far. */
  readonly result: RunResult
  readonly pending: RunSummary["pending"]
}

/** What is known of a run that this process carries on. */
interface Held {
  readonly live: LiveRun
  readonly chart: AgentChart
  readonly about: Readonly<Record<string, unknown>>
  readonly startedAt: number
}

export interface ForkChanges {
  readonly at: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
}

/** The runs of one journal: those that this process carries on, and those of others. */
export class RunHub {
  readonly #journal: CompleteJournal
  readonly #openServices: OpenRunServices
  readonly #runners: Runners
  readonly #live = new Map<string, Held>()
  /** What is being taken up, so that two clicks do it once. */
  readonly #opening = new Map<string, Promise<LiveRun>>()

  constructor(journal: CompleteJournal, openServices: OpenRunServices) {
    this.#journal = journal
    this.#openServices = openServices
    this.#runners = new Runners(journal)
  }

  /** How many runs this process carries on. */
  get carried(): number {
    return this.#live.size + this.#opening.size
  }

  /** The newest first. */
  async list(): Promise<readonly HubRun[]> {
    const stored = await this.#journal.list()
    const known = new Set(stored.map(({ runId }) => runId))
    const begun = [...this.#live].flatMap(([runId, held]) =>
      known.has(runId) ? [] : [summaryOf(runId, held)],
    )
    return [...stored, ...begun]
      .sort((one, other) => other.startedAt - one.startedAt)
      .map((summary) => this.#told(summary))
  }

  /** How a run stands, without a look at other runs. */
  async standing(runId: string): Promise<Standing> {
    const held = this.#live.get(runId)
    if (held !== undefined) {
      const { live, chart, about, startedAt } = held
      return {
        runId,
        chart,
        about,
        origin: originOf(about),
        startedAt,
        isHere: !live.isOver,
        events: live.events,
        result: live.run.snapshot(),
        pending: live.run.pending(),
      }
    }
    const stored = await loadRun(this.#journal, runId)
    const { result, pending, events } = runAt(stored)
    const { chart, about = {}, at: startedAt } = stored.header
    return {
      runId,
      chart,
      about,
      origin: originOf(about),
      startedAt,
      isHere: false,
      events,
      result,
      pending,
    }
  }

  /** Whether there is such a run. */
  async has(runId: string): Promise<boolean> {
    return this.#live.has(runId) || (await this.#journal.load(runId)) !== null
  }

  async open(
    runId: string,
  ): Promise<HubRun & { readonly stored: StoredRun; readonly origin: Origin }> {
    const stored = await loadRun(this.#journal, runId)
    const { header } = stored
    // Only of a run that somebody else has, or nobody, the journal knows more.
    const here = this.#live.has(runId)
      ? {
          runId,
          chart: header.chart.id,
          startedAt: header.at,
          status: "running" as const,
          pending: [],
          owner: null,
        }
      : null
    const summary = here ?? (await this.#journal.list()).find((one) => one.runId === runId)
    if (summary === undefined)
      throw new HttpRefusal(404, {
        code: "run_unknown",
        message: `the run "${runId}" does not exist`,
      })
    return { ...this.#told(summary), stored, origin: originOf(stored.header.about) }
  }

  async events(runId: string): Promise<EventSource> {
    return this.#live.get(runId)?.live ?? (await storedEvents(this.#journal, runId))
  }

  /** @throws HttpRefusal `run_exists` for an id that is taken; what kept the run from being stored. */
  async start(chart: AgentChart, origin: Origin, options: StartOptions): Promise<string> {
    const { runId = crypto.randomUUID() } = options
    const taken = new HttpRefusal(409, {
      code: "run_exists",
      message: `the run "${runId}" already exists; choose another id`,
    })
    if (this.#live.has(runId) || this.#opening.has(runId)) throw taken
    const about = {
      ...options.about,
      origin,
      services: origin.scenario === null ? "" : `--scripted ${origin.scenario}`,
    }
    await this.#once(runId, async () => {
      if (options.runId !== undefined && (await this.has(runId))) throw taken
      return this.#carry(runId, chart, about, (runner) =>
        runner.start(chart, { ...options, runId, about }),
      )
    })
    return runId
  }

  /** A run that this process carries on; null where it does not, or not any more. */
  here(runId: string): LiveRun | null {
    return this.#live.get(runId)?.live ?? null
  }

  /** A run that this process carries on, taken up where it does not yet. */
  async taken(runId: string): Promise<LiveRun> {
    return (
      this.#live.get(runId)?.live ??
      this.#opening.get(runId) ??
      this.#once(runId, () => this.#takeUp(runId))
    )
  }

  async resume(runId: string): Promise<void> {
    await this.taken(runId)
  }

  /** A run that rests or was interrupted is taken up for it. Settles when the journal has the message and the run was given it. */
  async give(runId: string, message: RunMessage): Promise<void> {
    const wasHere = this.#live.has(runId)
    const live = await this.taken(runId)
    // What was interrupted asks again when it gets there; who is at work here is not waited for.
    if (
      !wasHere &&
      message.type !== "cancel" &&
      message.type !== "end" &&
      live.run.pending().length === 0
    )
      await live.run.whenSettled()
    await live.run.give(message)
    if (message.type === "cancel" || message.type === "end") await live.over
  }

  async fork(runId: string, { at, state, remove }: ForkChanges): Promise<string> {
    const stored = await loadRun(this.#journal, runId)
    const forkId = crypto.randomUUID()
    const changes = {
      ...(state === undefined ? {} : { state }),
      ...(remove === undefined ? {} : { remove }),
    }
    await storeRun(this.#journal, fork(stored, { at, runId: forkId, now: Date.now(), ...changes }))
    await this.resume(forkId)
    return forkId
  }

  /** Leaves every run as it is. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values())
    const all = [...this.#live.values()]
    await this.#runners.close()
    await Promise.all(all.map(({ live }) => live.left))
  }

  async #once(runId: string, open: () => Promise<LiveRun>): Promise<LiveRun> {
    const opening = open()
    this.#opening.set(runId, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(runId)
    }
  }

  async #takeUp(runId: string): Promise<LiveRun> {
    const { header } = await loadRun(this.#journal, runId)
    const live = await this.#carry(runId, header.chart, header.about ?? {}, (runner, before) =>
      runner.resume(runId, { before }),
    )
    if (live.isOver)
      throw new HttpRefusal(409, { code: "run_finished", message: `run "${runId}" has finished` })
    return live
  }

  async #carry(
    runId: string,
    chart: AgentChart,
    about: Held["about"],
    begin: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>,
  ): Promise<LiveRun> {
    const services = await this.#openServices(chart, originOf(about).scenario)
    const { runner, close } = this.#runners.runnerFor(services)
    const stored = this.#runners.stored(runId)
    let run: Run
    try {
      run = await begin(runner, (resumed) => services.resume?.(eventsSoFar(resumed)))
    } catch (error) {
      stored.forget()
      await close()
      throw error
    }
    const live = new LiveRun(run, close)
    this.#live.set(runId, { live, chart, about, startedAt: live.events[0]?.at ?? Date.now() })
    const gone = live.left.finally(() => this.#live.delete(runId))
    // Whoever is told of the run finds it in the journal.
    const isStored = await Promise.race([stored.settled.then(() => true), gone.then(() => false)])
    stored.forget()
    if (isStored) return live
    const { code = "journal_failed", message = "the run is not in a journal" } =
      run.snapshot().error ?? {}
    throw new HttpRefusal(503, { code, message })
  }

  #told({ runId, chart, startedAt, status, pending, owner }: RunSummary): HubRun {
    const here = this.#live.get(runId)?.live
    const standing = here?.run.status ?? status
    const isInterrupted = here === undefined && standing === "running" && owner === null
    return {
      runId,
      chart,
      startedAt,
      status: isInterrupted ? "interrupted" : standing,
      pending: here?.run.pending() ?? pending,
      isHere: here?.isOver === false,
      owner: here === undefined ? owner : null,
    }
  }
}

const summaryOf = (runId: string, { live, chart, startedAt }: Held): RunSummary => ({
  runId,
  chart: chart.id,
  startedAt,
  status: live.run.status,
  pending: live.run.pending(),
  owner: null,
})

/** What whoever wrote the header says is not to be trusted. */
function originOf(about: Readonly<Record<string, unknown>> | undefined): Origin {
  const origin = about?.["origin"]
  const { file, scenario } =
    typeof origin === "object" && origin !== null
      ? (origin as Readonly<Record<string, unknown>>)
      : { file: null, scenario: null }
  return {
    file: typeof file === "string" ? file : null,
    scenario: typeof scenario === "string" ? scenario : scenarioIn(about?.["services"]),
  }
}

/** As the command line keeps it. */
const scenarioIn = (services: unknown): string | null =>
  typeof services === "string" ? (/^--scripted (\S+)$/.exec(services)?.[1] ?? null) : null
