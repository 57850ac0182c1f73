import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelAnswer } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import { fingerprintWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import { policyGate } from "../policies/policy-gate.js"
import { compareStates } from "../history/compare-states.js"
import { requestOf } from "../history/compare-requests.js"
import type { PastCalls } from "../history/past-calls.js"
import { pastCalls } from "../history/past-calls.js"
import type { ReuseReport } from "../history/reuse-report.js"
import { RecordedCalls } from "../history/recorded-calls.js"
import { recordedAnswers } from "../history/recorded-messages.js"
import type { LoadRun } from "../history/past-children.js"
import { pastChildren } from "../history/past-children.js"
import type { ChartVisits } from "../history/chart-visits.js"
import { chartVisits } from "../history/chart-visits.js"
import type { CallServices } from "../host/call-services.js"
import { localHost } from "../host/local-host.js"
import { priced } from "../host/price.js"
import type { RecordedCallsOptions } from "../host/open-recorded-calls.js"
import { systemClock } from "../host/system-clock.js"
import type { Journal, JournalRecord, StoredRun } from "../journal/journal.js"
import { childrenInMemory } from "./children-in-memory.js"
import { RunExecution } from "../run/run-execution.js"

/** Options of the function that `rerunner` returns. */
export interface RerunOptions extends RecordedCallsOptions {
  /** Services for the calls that have no recorded result. Default: none. */
  readonly services?: Omit<CallServices, "recorded">
  /**
   * Id of the new run. It is also part of the idempotency keys of its calls. Default: the id of the
   * recorded run, followed by `~` and the first 8 characters of the fingerprint of the chart.
   */
  readonly runId?: string
  /**
   * Function that loads a recorded child run by its id, so that the results of its calls are reused
   * too. If it is missing, a child run that is executed again makes all of its calls.
   */
  readonly load?: LoadRun
  /** Signal that stops the new run. The result then describes the state of the run at this time. */
  readonly signal?: AbortSignal
}

/** A value of the recorded run (`before`), and the same value of the new run (`after`). */
export interface BeforeAndAfter<Value> {
  readonly before: Value
  readonly after: Value
}

/**
 * Names that occur in only one of two runs, in alphabetical order. `added` only occur in the new
 * run, and `removed` only occur in the recorded run.
 */
export interface AddedAndRemoved {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Comparison of a recorded run with a new run that executes another chart and reuses the recorded
 * results.
 */
export interface Rerun extends ReuseReport {
  readonly before: RunResult
  /**
   * Result of the new run. If calls were skipped because of the option `offline`, its status is
   * `running`.
   */
  readonly after: RunResult
  /** Requests that are pending at the end of the new run, because no recorded answer fits. */
  readonly pending: readonly PendingRequest[]
  readonly changed: {
    readonly status: boolean
    readonly text: boolean
    /**
     * Session state keys whose final values differ, in alphabetical order. Keys that the runtime
     * itself uses are omitted.
     */
    readonly state: readonly string[]
    /** Ids of the agents that have started in only one of the two runs. */
    readonly agents: AddedAndRemoved
    /**
     * States that only one of the two runs has entered, as `MACHINE#STATE`. STATE consists of state
     * keys joined by dots.
     */
    readonly states: AddedAndRemoved
  }
  readonly tokens: BeforeAndAfter<number>
  /**
   * Total cost of all model calls in the recorded and in the new run. It is computed with `priceOf`
   * or, if this option is missing, is the sum of the recorded costs. null if the cost of a call is
   * unknown.
   */
  readonly cost: BeforeAndAfter<number | null>
  readonly answers: { readonly reused: number; readonly unused: number }
  /** The new run. It is not stored in a journal. */
  readonly run: StoredRun
}

/**
 * Executes a chart with the recorded results of a stored run, and compares the two runs. `rerunner`
 * creates this function.
 */
export interface Rerunner {
  (stored: StoredRun, options?: RerunOptions): Promise<Rerun>
}

/**
 * Returns a function that executes `chart` with the recorded results of a run. A call receives the
 * recorded result of the call with the same agent path, number and request. Recorded answers of
 * people are reused too. All other calls are made, or are skipped if `offline` is true. The
 * recorded run is not changed.
 *
 * @example
 * const rerun = rerunner(editedChart)
 * const { changed, calls, firstDivergence } = await rerun(await journal.load(runId), { services })
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function rerunner(chart: AgentChart): Rerunner {
  const visitsAfter = chartVisits(chart)
  const visitsBefore = new Map<string, ChartVisits>([[fingerprintWithCalls(chart), visitsAfter]])
  return async (stored, options = {}) => {
    const { services = {}, offline = false, clock = systemClock, signal, load } = options
    const { header } = stored
    const { runId = `${header.runId}~${chart.fingerprint.slice(0, 8)}` } = options
    if (runId === header.runId)
      throw new AgentStatechartsError(
        "input_refused",
        `the new run needs its own id: choose an id other than "${runId}"`,
      )
    const chartBefore = fingerprintWithCalls(header.chart)
    const before = visitsBefore.get(chartBefore) ?? chartVisits(header.chart)
    visitsBefore.set(chartBefore, before)
    const { value: past, states: statesBefore } = before.during(() =>
      pastCalls(stored, before.machine),
    )
    const recorded = new RecordedCalls({
      past,
      ...(load !== undefined && { children: await pastChildren(past, load) }),
      runId: header.runId,
      keysAs: runId,
      startedAt: header.at,
      clock,
      isOffline: offline,
    })
    const { keptKeys: _keptKeys, ...own } = header
    const run = {
      header: {
        ...own,
        // The requests and results of a graph contain the run id, so both runs must have the same
        // id.
        chart,
        forkedFrom: { runId: header.runId, at: 0, chart: header.chart.fingerprint },
      },
      records: [] as JournalRecord[],
    }
    const finished = await execute(run, { past, recorded, services, visits: visitsAfter, signal })
    const tokensOf = ({ usage }: RunResult): number => usage.inputTokens + usage.outputTokens
    return {
      ...finished.facts,
      before: past.result,
      changed: {
        status: past.result.status !== finished.facts.after.status,
        text: past.result.text !== finished.facts.after.text,
        state: changedKeys(past.result.state, finished.facts.after.state),
        agents: addedAndRemoved(startedAgents(past.events), startedAgents(finished.played.events)),
        states: addedAndRemoved(statesBefore, finished.states),
      },
      tokens: { before: tokensOf(past.result), after: tokensOf(finished.facts.after) },
      cost: {
        before: costOf(past, services),
        after: costOf(finished.played, services),
      },
      run: { header: { ...run.header, runId }, records: run.records },
    }
  }
}

/**
 * Returns the keys of the session state whose values differ. Omits the keys that the runtime itself
 * uses.
 */
const changedKeys = (before: RunResult["state"], after: RunResult["state"]): readonly string[] =>
  compareStates(before, after).flatMap(({ key }) => (systemKeys.has(key) ? [] : [key]))

interface Execution {
  readonly past: PastCalls
  readonly recorded: RecordedCalls
  readonly services: CallServices
  readonly visits: ChartVisits
  readonly signal: AbortSignal | undefined
}

/**
 * Executes a new run until it has ended or cannot continue, for example because an answer was not
 * recorded. Adds its records to `run`.
 */
async function execute(
  run: { readonly header: StoredRun["header"]; readonly records: JournalRecord[] },
  { past, recorded, services, visits, signal }: Execution,
): Promise<{
  readonly facts: ReuseReport & Pick<Rerun, "after" | "pending" | "answers">
  readonly played: PastCalls
  readonly states: ReadonlySet<string>
}> {
  const journal: Journal = {
    create: () => {},
    append: (_, record) => void run.records.push(record),
    load: () => null,
  }
  const calls = { ...services, recorded }
  const children = childrenInMemory(run.header, calls, recorded.clock)
  const execution = new RunExecution(
    {
      header: run.header,
      machine: visits.plain,
      host: localHost(calls, recorded.clock, children),
      journal,
      refusal: null,
      session: null,
      policyGate,
    },
    false,
  )
  const answers = recordedAnswers(past, execution)
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      signal?.removeEventListener("abort", finish)
      resolve()
    }
    signal?.addEventListener("abort", finish)
    execution.open(null, () => {})
    recorded.follow(answers, finish)
  })
  const facts = {
    ...recorded.report(),
    after: execution.snapshot(),
    pending: execution.pending(),
    answers: { reused: answers.reused, unused: answers.unused.length },
  }
  if (execution.isOpen()) execution.suspend()
  await children.close()
  const { value: played, states } = visits.during(() => pastCalls(run, visits.machine))
  return { facts, played, states }
}

/** Returns the total cost of all model calls. Returns null if the cost of a call is unknown. */
function costOf({ calls }: PastCalls, { priceOf }: CallServices): number | null {
  let sum = 0
  for (const { known, result } of calls) {
    if (known.kind !== "model" || result?.ok !== true) continue
    // The cast is safe: the result of a successful model call is a `ModelAnswer`.
    const answer = result.value as ModelAnswer
    if (answer.usage === null) continue
    const request = requestOf(known) as { readonly model: string | null; readonly agent: string }
    const { cost: _cost, ...usage } = answer.usage
    const read =
      priceOf === undefined ? result : priced({ ...answer, usage }, request, result.at, { priceOf })
    const cost = read.ok ? (read.value as ModelAnswer).usage?.cost : undefined
    if (cost === undefined) return null
    sum += cost
  }
  return sum
}

const startedAgents = (events: readonly RunEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.type === "agent.started" ? [event.agent] : [])))

const addedAndRemoved = (
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): AddedAndRemoved => ({
  added: [...after].filter((name) => !before.has(name)).sort(),
  removed: [...before].filter((name) => !after.has(name)).sort(),
})
