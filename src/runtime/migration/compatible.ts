import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import { sameJson } from "../history/equal-json.js"
import { chartDifference, sameCharts } from "../runner/chart-difference.js"
import { withoutAppendedAgents } from "./appended-agents.js"
import { replayedChart } from "./replayed-chart.js"

/**
 * Result of {@link compatible}, which checks whether open runs of an old chart can continue with a
 * new chart.
 */
export interface ChartCompatibility {
  /**
   * - `identical`: the charts are equal.
   * - `adoptable`: every open run of the old chart can continue with the new chart.
   * - `depends`: it depends on the records of each run. Use `migrateRuns` with `dryRun` to check
   *   the runs.
   */
  readonly verdict: "identical" | "adoptable" | "depends"
  /** Descriptions of all differences between the charts, one for each difference. */
  readonly differences: readonly string[]
  /** Descriptions of the differences that may change the calls or requests of an open run. */
  readonly relevant: readonly string[]
}

/**
 * Checks whether every open run of an old chart can continue with a new chart. Does not read the
 * records of the runs (docs/semantics.md#migration).
 *
 * The verdict `adoptable` guarantees that every open run can continue. The verdict `depends` means
 * that the records of each run must be checked, for example with `migrateRuns`.
 *
 * @example
 * const { verdict, relevant } = compatible(deployedChart, editedChart)
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function compatible(oldChart: AgentChart, newChart: AgentChart): ChartCompatibility {
  checkChart(oldChart, "compatible")
  checkChart(newChart, "compatible")
  const pairs = chartPairs(oldChart, newChart)
  const differences = pairs.flatMap(([before, after]) => changedLines(before, after))
  if (differences.length === 0) return { verdict: "identical", differences, relevant: [] }
  const relevant = pairs.flatMap(([before, after]) => relevantLines(before, after))
  return { verdict: relevant.length === 0 ? "adoptable" : "depends", differences, relevant }
}

type ChartPair = readonly [before: AgentChart, after: AgentChart]

/**
 * Returns the pairs of charts to compare. These are the two charts, and each called workflow that
 * both charts contain. A workflow that only the old or only the new chart contains is omitted. It
 * either has no runs yet, or its runs keep their chart.
 */
function chartPairs(before: AgentChart, after: AgentChart): readonly ChartPair[] {
  const pairs: ChartPair[] = []
  const add = (old: AgentChart, now: AgentChart): void => {
    if (pairs.some(([one, other]) => one === old && other === now)) return
    pairs.push([old, now])
    for (const [key, called] of Object.entries(old.workflows ?? {})) {
      const edited = now.workflows?.[key]
      if (edited !== undefined) add(called, edited)
    }
  }
  add(before, after)
  return pairs
}

/**
 * Describes all differences between two charts. Does not compare the workflows that the charts
 * call.
 */
function changedLines(before: AgentChart, after: AgentChart): readonly string[] {
  const [old, now] = [withoutCalls(before), withoutCalls(after)]
  if (sameCharts(old, now)) return []
  const lines = chartDifference(old, now)
  return lines.length > 0 ? lines : ["the list of services has changed"]
}

/** Describes the differences that may change how the records of an open run are processed. */
function relevantLines(before: AgentChart, after: AgentChart): readonly string[] {
  const old = replayedChart(before)
  if (sameJson(old, replayedChart(withoutAppendedAgents(before, after)))) return []
  const now = replayedChart(after)
  const changed = new Set(chartDifference(old, now).map(subjectOf))
  const lines = changedLines(before, after).filter((line) => changed.has(subjectOf(line)))
  return lines.length > 0 ? lines : changedLines(before, after)
}

/**
 * Returns the name of the changed field from a line that describes a difference, such as `FIELD was
 * VALUE ...`.
 */
const subjectOf = (line: string): string => line.split(" was ", 1)[0] ?? line

function withoutCalls({ workflows: _workflows, ...chart }: AgentChart): AgentChart {
  return chart
}
