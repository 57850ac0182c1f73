import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { StoredRun } from "../journal/journal.js"
import { loadProgram } from "../program/load-program.js"
import type { ChartStatePart, ChartTransitionPart } from "./chart-parts.js"
import { statePartsOf, transitionsOf } from "./chart-parts.js"
import { allMachines, markedProgram } from "./instrumented-program.js"
import { pastRun } from "./replayed-run.js"

/**
 * A report of the chart's states and transitions that were reached by the runs added with `feed`.
 */
export interface ChartCoverage {
  /** Number of runs that were added with `feed`. Runs of other charts do not count. */
  readonly runs: number
  readonly states: Covered<ChartStatePart>
  readonly transitions: Covered<ChartTransitionPart>
  /**
   * Coverage of the states and transitions that normal execution cannot reach, because only a
   * limit, a stop or a pause leads to them, or because nothing leads to them. They are counted
   * separately, so that the coverage of normal execution can reach 100 %.
   */
  readonly apart: {
    readonly states: Covered<ChartStatePart>
    readonly transitions: Covered<ChartTransitionPart>
  }
}

/**
 * Coverage of the states or the transitions of a chart. Contains the number of reached states or
 * transitions, the total number, and a list of those that were not reached.
 */
export interface Covered<Part> {
  readonly reached: number
  readonly of: number
  readonly missing: readonly Part[]
}

/**
 * Collects the coverage of one chart. Add stored runs with `feed`, then read the result with
 * `coverage`.
 */
export interface CoverageWatch {
  /**
   * Adds a run to the coverage. Returns false and ignores the run if the run has a different chart.
   */
  feed(run: StoredRun): boolean
  /** Returns the coverage of all runs that were added with `feed`. */
  coverage(): ChartCoverage
}

/**
 * Creates a `CoverageWatch`, which reports the states and transitions of a chart that stored runs
 * have reached. It replays the journal records of each run. It makes no calls and stores nothing.
 *
 * @example
 * const watch = watchCoverage(chart)
 * for (const { runId } of await journal.list()) watch.feed(await journal.load(runId))
 * console.log(watch.coverage().transitions.missing)
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function watchCoverage(chart: AgentChart): CoverageWatch {
  const parts = allMachines(chart).map(({ key, machine, chart: own }) => {
    const transitions = transitionsOf(own, key, machine)
    return {
      key,
      transitions: transitions.map(({ part }) => part),
      states: statePartsOf(key, machine, transitions),
      taken: new Set<number>(),
      entered: new Set<string>(),
    }
  })
  const byKey = new Map(parts.map((part) => [part.key, part]))
  const machine = compiledMachines(
    markedProgram(loadProgram(chart), {
      entered: (key, state) => void byKey.get(key)?.entered.add(state),
      took: (key, transition) => void byKey.get(key)?.taken.add(transition),
    }),
  )
  let runs = 0
  return {
    feed({ header, records }) {
      if (header.chart.fingerprint !== chart.fingerprint) return false
      pastRun({ header, past: records, machine })
      runs++
      return true
    },
    coverage() {
      const states = parts.flatMap(({ states: own, entered }) =>
        own.map((part) => ({ part, isReached: entered.has(part.state) })),
      )
      const transitions = parts.flatMap(({ transitions: own, taken }) =>
        own.map((part, index) => ({ part, isReached: taken.has(index) })),
      )
      return {
        runs,
        states: covered(states, false),
        transitions: covered(transitions, false),
        apart: { states: covered(states, true), transitions: covered(transitions, true) },
      }
    },
  }
}

function covered<Part extends { readonly isApart: boolean }>(
  all: readonly { readonly part: Part; readonly isReached: boolean }[],
  isApart: boolean,
): Covered<Part> {
  const own = all.filter(({ part }) => part.isApart === isApart)
  const missing = own.filter(({ isReached }) => !isReached).map(({ part }) => part)
  return { reached: own.length - missing.length, of: own.length, missing }
}
