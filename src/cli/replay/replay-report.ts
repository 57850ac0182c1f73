import type { RunStatus } from "../../machines/contract/run-event.js"
import type {
  BeforeAndAfter,
  Divergence,
  Rerun,
  ReuseCounts,
  ReuseReport,
} from "../../runtime/index.js"

/**
 * Whether the result of a recorded run changes with another workflow. `unknown` means that the run
 * needs a call that `--offline` does not allow.
 */
export type ReplayOutcome = "changed" | "unchanged" | "unknown"

/** Comparison of a recorded run with its repetition in another workflow, in JSON format. */
export interface ReplayedRun {
  readonly outcome: ReplayOutcome
  readonly status: BeforeAndAfter<RunStatus>
  readonly text: BeforeAndAfter<string | null>
  /** Error of the repeated run. Null if it has no error. */
  readonly error: { readonly code: string; readonly message: string } | null
  readonly changed: Rerun["changed"]
  readonly firstDivergence: Divergence | null
  readonly calls: ReuseReport["calls"]
  readonly calledTools: readonly string[]
  readonly tokens: BeforeAndAfter<number>
  readonly cost: BeforeAndAfter<number | null>
  readonly answers: Rerun["answers"]
  /** Ids of the pending requests of the repeated run that have no recorded answer. */
  readonly pending: readonly string[]
  /** Keys of calls without a recorded result. The option `--offline` did not allow these calls. */
  readonly unanswered: readonly string[]
}

/** A recorded run that could not be executed with the other workflow. */
export interface ReplayFailure {
  readonly run: string
  readonly code: string
  readonly message: string
}

/** Result of `replay --with`, as its option `--json` prints it. */
export interface ReplayReport {
  readonly version: 1
  /** Id of the workflow that the option `--with` selects. */
  readonly workflow: string
  readonly fingerprint: string
  readonly runs: Readonly<Record<string, ReplayedRun>>
  readonly failures: readonly ReplayFailure[]
  readonly summary: ReplaySummary
  readonly exitCode: 0 | 1
}

export interface ReplaySummary {
  readonly runs: number
  readonly changed: number
  readonly unchanged: number
  readonly unknown: number
  /** Number of runs whose final text changed. */
  readonly texts: number
  /** Number of runs by change of status, with keys such as `completed -> failed`. */
  readonly statuses: Readonly<Record<string, number>>
  readonly calls: ReuseReport["calls"]
  /**
   * For each tool, the number of runs that called the tool instead of reusing a recorded result.
   */
  readonly calledTools: Readonly<Record<string, number>>
  /**
   * Number of tokens in the recorded and the repeated runs. Runs with the outcome `unknown` are not
   * counted.
   */
  readonly tokens: BeforeAndAfter<number>
  /**
   * Cost of the recorded and the repeated runs, without runs with the outcome `unknown`. Null if
   * the cost of at least one counted run is unknown.
   */
  readonly cost: BeforeAndAfter<number | null>
}

export function replayedRun(rerun: Rerun): ReplayedRun {
  const { before, after, changed, unanswered, pending } = rerun
  const { firstDivergence, calls, calledTools, tokens, cost, answers } = rerun
  const isChanged =
    changed.status ||
    changed.text ||
    [changed.state, ...namesOf(changed.agents), ...namesOf(changed.states)].some(
      (names) => names.length > 0,
    )
  return {
    outcome: unanswered.length > 0 ? "unknown" : isChanged ? "changed" : "unchanged",
    status: { before: before.status, after: after.status },
    text: { before: before.text, after: after.text },
    error: after.error === null ? null : { code: after.error.code, message: after.error.message },
    changed,
    firstDivergence,
    calls,
    calledTools,
    tokens,
    cost,
    answers,
    pending: pending.map(({ id }) => id),
    unanswered: unanswered.map(({ key }) => key),
  }
}

const namesOf = ({
  added,
  removed,
}: Rerun["changed"]["agents"]): readonly (readonly string[])[] => [added, removed]

/** Creates the report of `replay --with` from the results of all runs. */
export function replayReport(
  { id, fingerprint }: { readonly id: string; readonly fingerprint: string },
  runs: ReadonlyMap<string, ReplayedRun>,
  failures: readonly ReplayFailure[],
): ReplayReport {
  const summary = summaryOf([...runs.values()])
  return {
    version: 1,
    workflow: id,
    fingerprint,
    runs: Object.fromEntries(runs),
    failures,
    summary,
    exitCode: summary.unchanged === summary.runs && failures.length === 0 ? 0 : 1,
  }
}

function summaryOf(runs: readonly ReplayedRun[]): ReplaySummary {
  const count = (outcome: ReplayOutcome): number =>
    runs.filter((run) => run.outcome === outcome).length
  const known = runs.filter(({ outcome }) => outcome !== "unknown")
  return {
    runs: runs.length,
    changed: count("changed"),
    unchanged: count("unchanged"),
    unknown: count("unknown"),
    texts: runs.filter(({ outcome, changed }) => outcome !== "unknown" && changed.text).length,
    statuses: countNames(
      runs.flatMap(({ outcome, changed, status }) =>
        outcome !== "unknown" && changed.status ? [`${status.before} -> ${status.after}`] : [],
      ),
    ),
    calls: {
      made: runs.map(({ calls }) => calls.made).reduce(addCounts, noCalls),
      reused: runs.map(({ calls }) => calls.reused).reduce(addCounts, noCalls),
    },
    calledTools: countNames(runs.flatMap(({ calledTools }) => calledTools)),
    tokens: {
      before: sum(known.map(({ tokens }) => tokens.before)),
      after: sum(known.map(({ tokens }) => tokens.after)),
    },
    cost: {
      before: sumKnown(known.map(({ cost }) => cost.before)),
      after: sumKnown(known.map(({ cost }) => cost.after)),
    },
  }
}

const noCalls: ReuseCounts = { models: 0, tools: 0 }

const addCounts = (one: ReuseCounts, other: ReuseCounts): ReuseCounts => ({
  models: one.models + other.models,
  tools: one.tools + other.tools,
})

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)

const sumKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (one, other) => (one === null || other === null ? null : one + other),
    0,
  )

function countNames(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
}
