import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { StoredRun } from "../journal/journal.js"
import { loadProgram } from "../program/load-program.js"
import type { ChartStatePart, ChartTransitionPart } from "./chart-parts.js"
import { statePartsOf, transitionsOf } from "./chart-parts.js"
import { allMachines, markedProgram } from "./instrumented-program.js"
import { pastRun } from "./replayed-run.js"

/**
 * Coverage report for a chart. It lists which states and transitions of the chart were reached by
 * the added runs.
 */
export interface ChartCoverage {
  /** Number of added runs. Runs of other charts are not counted. */
  readonly runs: number
  readonly states: Covered<ChartStatePart>
  readonly transitions: Covered<ChartTransitionPart>
  /**
   * Coverage of the states and transitions that normal execution cannot reach. They are reached
   * only after a limit, a stop or a pause, or never. They are counted separately, so that the
   * coverage of normal execution can reach 100 %.
   */
  readonly exceptional: {
    readonly states: Covered<ChartStatePart>
    readonly transitions: Covered<ChartTransitionPart>
  }
}

/**
 * Coverage of the states or of the transitions of a chart: the number that was reached, the total
 * number, and a list of the missing states or transitions.
 */
export interface Covered<Part> {
  readonly reached: number
  readonly of: number
  readonly missing: readonly Part[]
}

/**
 * Collects the coverage of one chart. Add stored runs with `add`, and then read the report with
 * `coverage`.
 */
export interface CoverageCollector {
  /**
   * Adds a stored run to the coverage. If the run has a different chart, ignores the run and
   * returns false.
   */
  add(run: StoredRun): boolean
  /** Returns the coverage report for all added runs. */
  coverage(): ChartCoverage
}

/**
 * Creates a `CoverageCollector`, which reports the states and transitions of a chart that stored
 * runs have reached. It replays the journal records of each run. It does not call models or tools,
 * and it does not write to the journal.
 *
 * @example
 * const collector = collectCoverage(chart)
 * for (const { runId } of await journal.list()) collector.add(await journal.load(runId))
 * console.log(collector.coverage().transitions.missing)
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function collectCoverage(chart: AgentChart): CoverageCollector {
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
    add({ header, records }) {
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
        exceptional: { states: covered(states, true), transitions: covered(transitions, true) },
      }
    },
  }
}

function covered<Part extends { readonly isExceptional: boolean }>(
  all: readonly { readonly part: Part; readonly isReached: boolean }[],
  isExceptional: boolean,
): Covered<Part> {
  const own = all.filter(({ part }) => part.isExceptional === isExceptional)
  const missing = own.filter(({ isReached }) => !isReached).map(({ part }) => part)
  return { reached: own.length - missing.length, of: own.length, missing }
}
