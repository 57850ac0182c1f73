import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { Clock } from "../driver/host.js"
import { localHosts } from "../host/local-host.js"
import type { Inspect } from "../events/inspect-run.js"
import { memoryJournal } from "../host/memory-journal.js"
import { memorySessionStore } from "../host/memory-session-store.js"
import type { CallServices } from "../host/call-services.js"
import type { Ids } from "../host/random-ids.js"
import { randomIds } from "../host/random-ids.js"
import { systemClock } from "../host/system-clock.js"
import { IdleRunCache } from "../run/idle-run-cache.js"
import type { Journal, JournalRecord } from "../journal/journal.js"
import { missingServices } from "../host/missing-services.js"
import type { RunInput } from "../run/new-run.js"
import { newRun } from "../run/new-run.js"
import { storeAdopted } from "./adopt.js"
import { refuseOther } from "./chart-difference.js"
import type { ForkOptions } from "./fork.js"
import { fork } from "./fork.js"
import { loadRun, storeRun } from "../journal/stored-run.js"
import { loadProgram } from "../driver/program.js"
import type { RunRegistry } from "../run/managed-run.js"
import { ManagedRun } from "../run/managed-run.js"
import type { Run } from "../run/run.js"
import type { RunParts } from "../run/run-parts.js"
import { runSession } from "../session/run-session.js"
import { sessionQueue } from "../session/session-queue.js"
import type { SessionKey, SessionStore } from "../journal/session-store.js"

export interface RunnerOptions extends CallServices {
  /** Where runs are kept. Unless given, in memory while they are open: a run that has ended can be neither resumed nor forked. */
  readonly journal?: Journal
  /** Where sessions are kept; in memory unless given. */
  readonly sessions?: SessionStore
  /**
   * How many runs that wait for a person stay ready to go on; default 500. Of those that have waited longer only what they wait for is kept, and their
   * journal gives them back when somebody answers, which takes some microseconds a record. Only where the journal can load at once, as the one in memory.
   */
  readonly maxIdleRuns?: number
  readonly clock?: Clock
  readonly ids?: Ids
  /** Told what happens inside of the machines of all its runs, the past of resumed ones too (docs/inspecting.md). */
  readonly inspect?: Inspect
}

export interface StartOptions extends RunInput {
  /** The session that the run is an invocation in (docs/sessions.md): by default a new one, of this run. Left out, the run stands alone. */
  readonly session?: Partial<SessionKey>
  readonly runId?: string
}

export interface ResumeOptions {
  /** Called when the past has been fed, before what was in flight is made again: a run that is cancelled here makes no call. */
  readonly before?: (run: Run) => void
  /** Refuses to go on unless this is the chart of the run: `chart_differs`. */
  readonly chart?: AgentChart
}

/** Runs charts with one set of services. */
export interface Runner {
  /**
   * Starts a run. A service that the chart needs and the runner lacks ends it with status `failed` before the first call.
   *
   * A run whose session is in use begins when the run before it rests or ends, and only then is in the journal.
   *
   * @throws AgentStatechartsError `chart_invalid` for a chart that cannot be run, `run_exists` for a run id that is taken,
   * `input_refused` for a state or an artifact that cannot be kept.
   */
  start(chart: AgentChart, options?: StartOptions): Run
  /**
   * Takes a run up where its journal ends: what has a result is not repeated, what was in flight is made again under the
   * same idempotency key.
   *
   * A run keeps the chart that it was started with. With `chart` it is taken up only if that is the same one.
   *
   * @throws AgentStatechartsError `run_unknown`; `run_owned` while somebody else carries it on; `chart_differs` with what is different.
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run>
  /**
   * Stores a new run that begins with the first records of another one, and goes on from there (docs/time-travel.md). Calls that
   * had finished are not made again. It stands alone, also where the other one was an invocation in a session.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_exists`, and what `fork` throws.
   */
  fork(
    runId: string,
    options: Omit<ForkOptions, "runId"> & { readonly runId?: string },
  ): Promise<Run>
  /**
   * Goes on with an edited chart: a new run with what was recorded, mapped by agent path, where nothing of it is lost. What was in flight
   * is made again under the same idempotency key.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_owned` while somebody else carries the run on, `run_exists`, `chart_invalid`, `chart_differs` with what would be lost.
   */
  adopt(runId: string, chart: AgentChart, options?: { readonly runId?: string }): Promise<Run>
  /** Suspends the runs that are still going: what they do is stopped here without a record of it, and they can be resumed elsewhere. Settles when their journal has let go of them. */
  close(): Promise<void>
}

/**
 * @example
 * const runner = createRunner({ http: createHttpServices() })
 * const run = runner.start(chart, { prompt: "Plan a trip to Tokyo." })
 * run.events$.subscribe((event) => console.log(event.type, event.agent))
 * const { status, state, text } = await run.result
 */
export function createRunner(options: RunnerOptions = {}): Runner {
  const {
    journal = memoryJournal({}, { keepEnded: false }),
    sessions = memorySessionStore(),
    clock = systemClock,
    ids = randomIds,
    maxIdleRuns = 500,
    inspect,
    ...services
  } = options
  const hostFrom = localHosts(services, clock)
  const inspected = inspect === undefined ? {} : { inspect }
  const queue = sessionQueue()
  const loaded = new WeakMap<AgentChart, (key: string) => CompiledMachine | undefined>()
  const machinesFor = (chart: AgentChart): ((key: string) => CompiledMachine | undefined) => {
    const known = loaded.get(chart)
    if (known !== undefined) return known
    const machines = compiledMachines(loadProgram(chart))
    loaded.set(chart, machines)
    return machines
  }
  /** Charts that nothing is missing for: each is looked through once and not for every run. */
  const served = new WeakSet<AgentChart>()
  const refusalOf = (chart: AgentChart): RunError | null => {
    if (served.has(chart)) return null
    const refusal = missingServices(chart, services)
    if (refusal === null) served.add(chart)
    return refusal
  }
  const registry: RunRegistry = {
    open: new Set(),
    idle: new IdleRunCache(maxIdleRuns),
    ended: { subscribers: new Set(), journals: new Map() },
    generation: {},
  }
  const carry = (
    parts: RunParts,
    past: readonly JournalRecord[] | null,
    before?: (run: Run) => void,
  ): Run => {
    const held = new ManagedRun(parts, registry)
    registry.open.add(held)
    held.open(past, before)
    return held.run
  }
  const runner: Runner = {
    start(chart, { session, runId = ids.next(), ...input } = {}) {
      const machine = machinesFor(chart)
      const header = newRun(chart, input, {
        runId,
        at: clock.now(),
        inSession: session !== undefined,
      })
      const refusal = refusalOf(chart)
      const { appName = chart.id, userId = "user", sessionId = runId } = session ?? {}
      const inSession =
        session === undefined ? null : runSession({ appName, userId, sessionId }, sessions, queue)
      return carry(
        {
          header,
          machine,
          host: hostFrom(header.at),
          journal,
          refusal,
          session: inSession,
          ...inspected,
        },
        null,
      )
    },
    async resume(runId, { before, chart } = {}) {
      await journal.acquire?.(runId)
      try {
        const { header, records } = await loadRun(journal, runId)
        if (chart !== undefined) refuseOther(runId, header.chart, chart)
        const machine = machinesFor(header.chart)
        const { session: held } = header.input
        const session =
          held === undefined || header.forkedFrom !== undefined
            ? null
            : runSession(held, sessions, queue)
        const host = hostFrom(records.at(-1)?.[3] ?? header.at)
        return carry(
          {
            header,
            machine,
            host,
            journal,
            refusal: refusalOf(header.chart),
            session,
            ...inspected,
          },
          records,
          before,
        )
      } catch (error) {
        await journal.release?.(runId)
        throw error
      }
    },
    async close() {
      const { open, ended } = registry
      registry.generation = {}
      for (const subscribers of ended.subscribers) subscribers.complete()
      const left = [...open].map((held) => held.suspend())
      await Promise.all([...left, ...[...ended.journals.values()].map(async (leave) => leave())])
      ended.journals.clear()
    },
    async fork(runId, { runId: forkId = ids.next(), ...changes }) {
      const forked = fork(await loadRun(journal, runId), {
        now: clock.now(),
        ...changes,
        runId: forkId,
      })
      await storeRun(journal, forked)
      return runner.resume(forkId)
    },
    async adopt(runId, chart, { runId: newId = ids.next() } = {}) {
      await storeAdopted(journal, { runId, chart, newId })
      return runner.resume(newId)
    },
  }
  return runner
}
