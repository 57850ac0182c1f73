import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Clock } from "../driver/host.js"
import { localHosts } from "../host/local-host.js"
import { memoryJournal } from "../host/memory-journal.js"
import { memorySessionStore } from "../host/memory-session-store.js"
import { type Ids, randomIds } from "../host/random-ids.js"
import { systemClock } from "../host/system-clock.js"
import { IdleRunCache } from "../run/idle-run-cache.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import { newRun } from "../run/new-run.js"
import type { IsAbandoned } from "./abandoned-run.js"
import { cancelIfOpen } from "./cancel-if-open.js"
import { checkRunArguments, checkRunnerOptions, checkStartOptions } from "./check-arguments.js"
import { checkSameChart } from "./chart-difference.js"
import { runExists } from "../journal/journal-errors.js"
import { loadRun } from "../journal/stored-run.js"
import type { CalledRuns } from "./called-runs.js"
import { LoadedCharts } from "./loaded-charts.js"
import type { Subscribers } from "../events/event-log.js"
import type { InterruptedRuns } from "./resume-interrupted.js"
import { resumeInterrupted } from "./resume-interrupted.js"
import type { RunRegistry } from "../run/managed-run.js"
import { ManagedRun } from "../run/managed-run.js"
import type { Run } from "../run/run.js"
import { checkSamePolicies, runPolicySets } from "../policies/run-policy-sets.js"
import type { RunParts } from "../run/run-parts.js"
import { featureMissing } from "../program/feature-missing.js"
import type { RuntimeFeatures } from "./runtime-features.js"
import type { RunnerOptions, StartOptions } from "./runner-options.js"
import { runnerOptionNames, startOptions } from "./runner-options.js"
import { runSession } from "../session/run-session.js"
import { sessionQueue } from "../session/session-queue.js"

/** Options of `runner.resume`, which resumes a stored run. */
export interface ResumeOptions {
  /**
   * Called after the stored records have been processed and before any call is made. Not called if
   * the runner already executes the run.
   */
  readonly before?: (run: Run) => void
  /**
   * The chart that the run is expected to have. If the run was started with a different chart,
   * `resume` rejects with `chart_differs`.
   */
  readonly chart?: AgentChart
}

/** Starts and resumes runs with one set of services. */
export interface CoreRunner {
  /**
   * Starts a run. If a service that the chart needs is not registered, the run fails before its
   * first call.
   *
   * If another run uses the same session, the new run waits until the other run has ended or is
   * between two invocations. Until then, the journal does not contain the new run.
   *
   * @throws AgentStatechartsError `chart_invalid`, `run_exists` if the run id is in use,
   * `argument_invalid` for wrong options, or `input_refused` if the journal cannot store the input
   */
  start(chart: AgentChart, options?: StartOptions): Run
  /**
   * Resumes a stored run. Calls with a recorded result are not repeated. Calls in flight are
   * repeated with the same idempotency key. The run keeps the chart with which it was started.
   *
   * If this runner already executes the run, or is resuming it, `resume` returns this run.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_owned` if another process executes the run,
   * `chart_differs` with a description of the differences, or `policies_differ` if the runner has
   * other policies than the run
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run>
  /**
   * Resumes all interrupted runs of the journal. A run is interrupted if it has not ended and no
   * process executes it. A run that waits for a person is resumed only if one of its deadlines has
   * passed. Call this function when your program starts. Skips runs that another process resumes
   * first.
   *
   * If a run cannot be resumed, the promise does not reject. `failed` contains each such run with
   * its error.
   *
   * @throws AgentStatechartsError `argument_invalid` if the journal has no method `list`
   */
  resumeInterrupted(): Promise<InterruptedRuns>
  /**
   * Suspends all open runs: their calls are aborted, and no further records are stored, so that
   * another process can resume the runs. Resolves after the journal has released all runs.
   */
  close(): Promise<void>
}

/** A runner, together with its parts that `fork` and `adopt` use, such as the journal. */
interface CoreRunnerParts {
  readonly runner: CoreRunner
  /** Executes the child runs of the runner. null without the feature `workflowCalls`. */
  readonly calledRuns: CalledRuns | null
  readonly journal: Journal
  readonly clock: Clock
  readonly ids: Ids
  /** Resumes a run that `fork` or `adopt` has just stored. */
  readonly resume: (runId: string) => Promise<Run>
}

/**
 * Creates a runner and returns it with its parts. The runner executes charts that use only the
 * features in `features`. `findRun` returns a run that another runner of this process executes, or
 * null.
 */
export function coreRunnerParts(
  options: RunnerOptions,
  features: RuntimeFeatures,
  findRun: (runId: string) => Run | null,
): CoreRunnerParts {
  checkRunnerOptions(options, Object.keys(runnerOptionNames))
  const {
    journal = memoryJournal({}, { keepEnded: false }),
    sessions = memorySessionStore(),
    clock = options.recorded?.clock ?? systemClock,
    ids = randomIds,
    maxIdleRuns = 500,
    inspect,
    onRun,
    policies,
    enforce = false,
    ...services
  } = options
  const hostFrom = localHosts(services, clock, features.performMachine)
  const queue = sessionQueue()
  const ownPolicies = runPolicySets(policies, enforce)
  const charts = new LoadedCharts(services, features)
  const registry: RunRegistry = {
    open: new Map(),
    idle: new IdleRunCache(maxIdleRuns),
    ended: { subscribers: new Set(), owned: new Map() },
    generation: {},
  }
  const openRun = (
    { header, session }: Pick<RunParts, "header" | "session">,
    past: readonly JournalRecord[] | null,
    before: (run: Run) => void = () => {},
    subscribers?: Subscribers,
  ): ManagedRun => {
    const { chart, runId, policies: stored } = header
    if (past === null && registry.open.has(runId)) throw runExists(runId)
    if (stored !== undefined && features.policyGate === null) throw featureMissing("policies")
    let isLost = (): boolean => false
    const children = charts.callsWorkflows(chart)
      ? calledRuns?.callerFor({
          header,
          before,
          isLost: () => isLost(),
          isResumed: past !== null,
        })
      : undefined
    const parts: RunParts = {
      header,
      machine: charts.machinesOf(chart),
      host: hostFrom(past?.at(-1)?.[3] ?? header.at, children, session?.key),
      journal,
      refusal: charts.refusalOf(chart),
      session,
      policyGate: features.policyGate,
      ...(inspect !== undefined && { inspect }),
    }
    const managed = new ManagedRun(parts, registry, subscribers)
    isLost = () => managed.hasLostJournal
    registry.open.set(runId, managed)
    managed.open(past, (run) => {
      before(run)
      onRun?.(run, { chart, isResumed: past !== null })
    })
    return managed
  }
  const calledRuns = features.childRuns?.createCalledRuns({
    journal,
    services,
    clock,
    findRun,
    start: (header) => openRun({ header, session: null }, null).run,
    resume: async (runId, before) => (await resumeOnce(runId, { before })).run,
  })
  /**
   * Creates a function that returns true for an abandoned child run (its caller no longer waits for
   * it). Use it only for runs that are already stored.
   */
  const abandonedRuns = (): IsAbandoned =>
    features.childRuns?.abandonedRuns({
      journal,
      machinesOf: (called) => charts.machinesOf(called),
      policyGate: features.policyGate,
    }) ?? refuseChildRun
  const resumeStored = async (
    runId: string,
    { before, chart }: ResumeOptions,
    mustCancel: IsAbandoned = async () => false,
  ): Promise<ManagedRun> => {
    const ended = registry.ended.owned.get(runId)
    registry.ended.owned.delete(runId)
    await ended?.release()
    await journal.acquire?.(runId)
    try {
      const { header, records } = await loadRun(journal, runId)
      if (chart !== undefined) checkSameChart(runId, header.chart, chart)
      checkSamePolicies(runId, header.policies, ownPolicies)
      charts.machinesOf(header.chart)
      const { session: stored } = header.input
      const session =
        stored === undefined || header.forkedFrom !== undefined
          ? null
          : runSession(stored, sessions, queue)
      const isCancelled = await mustCancel(header)
      const managed = openRun({ header, session }, records, before, ended?.subscribers)
      if (isCancelled) cancelIfOpen(managed.run)
      return managed
    } catch (error) {
      await journal.release?.(runId)
      throw error
    }
  }
  const resuming = new Map<string, Promise<ManagedRun>>()
  /** Returns the run if this runner executes it or is resuming it. Otherwise, resumes it. */
  const resumeOnce = async (
    runId: string,
    options: ResumeOptions,
    mustCancel?: IsAbandoned,
  ): Promise<ManagedRun> => {
    const open = registry.open.get(runId) ?? registry.ended.owned.get(runId)?.run.deref()
    const known = open?.isClosed === false ? open : resuming.get(runId)
    if (known === undefined) {
      const resumed = resumeStored(runId, options, mustCancel).finally(() => resuming.delete(runId))
      resuming.set(runId, resumed)
      return resumed
    }
    const managed = await known
    if (options.chart !== undefined) checkSameChart(runId, managed.chart, options.chart)
    return managed
  }
  const resumeRun = async (
    runId: string,
    options: ResumeOptions,
    isAbandoned: IsAbandoned,
  ): Promise<Run> =>
    (await calledRuns?.find(runId)) ?? (await resumeOnce(runId, options, isAbandoned)).run
  const runner: CoreRunner = {
    start(chart, options) {
      charts.machinesOf(chart)
      checkStartOptions(options, startOptions)
      const { session, runId = ids.next(), ...input } = options ?? {}
      const header: JournalHeader = newRun(chart, input, {
        runId,
        at: clock.now(),
        inSession: session !== undefined,
        policies: ownPolicies,
      })
      const { appName = chart.id, userId = "user", sessionId = runId } = session ?? {}
      const inSession =
        session === undefined ? null : runSession({ appName, userId, sessionId }, sessions, queue)
      return openRun({ header, session: inSession }, null).run
    },
    async resume(runId, options = {}) {
      checkRunArguments("resume", runId, options, "{ chart }")
      return resumeRun(runId, options, abandonedRuns())
    },
    resumeInterrupted: () =>
      resumeInterrupted(journal, clock.now(), () => {
        const isAbandoned = abandonedRuns()
        return (runId) => resumeRun(runId, {}, isAbandoned)
      }),
    async close() {
      const { open, ended } = registry
      const closing = calledRuns?.close()
      if (closing != null) await closing
      registry.generation = {}
      for (const subscribers of ended.subscribers) subscribers.complete()
      const suspended = [...open.values()].map((run) => run.suspend())
      const released = [...ended.owned.values()].map(async ({ release }) => release())
      await Promise.all([...suspended, ...released])
      ended.owned.clear()
      calledRuns?.reopen()
    },
  }
  return {
    runner,
    calledRuns: calledRuns ?? null,
    journal,
    clock,
    ids,
    resume: async (runId) => (await resumeStored(runId, {})).run,
  }
}

/**
 * Throws an error for a child run, and returns false for all other runs. Used by a runner without
 * workflow calls, which cannot check whether the caller still waits for the child run.
 */
async function refuseChildRun({ calledBy }: JournalHeader): Promise<boolean> {
  if (calledBy !== undefined) throw featureMissing("workflowCalls")
  return false
}
