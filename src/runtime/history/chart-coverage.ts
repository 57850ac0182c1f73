import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { StoredRun } from "../journal/journal.js"
import { loadProgram } from "../driver/program.js"
import type { ChartStatePart, ChartTransitionPart } from "./chart-parts.js"
import { statePartsOf, transitionsOf } from "./chart-parts.js"
import { markedProgram } from "./instrumented-program.js"
import { pastRun } from "./replayed-run.js"

/** How much of a chart some runs have been through. */
export interface ChartCoverage {
  /** How many runs were fed. */
  readonly runs: number
  readonly states: Covered<ChartStatePart>
  readonly transitions: Covered<ChartTransitionPart>
  /**
   * What only limits of the run, stops and pauses reach, or nothing at all: counted for itself, so
   * that the rest can be complete.
   */
  readonly apart: {
    readonly states: Covered<ChartStatePart>
    readonly transitions: Covered<ChartTransitionPart>
  }
}

export interface Covered<Part> {
  readonly reached: number
  readonly of: number
  readonly missing: readonly Part[]
}

export interface CoverageWatch {
  /**
   * Feeds the records of a run again. False for a run of another chart, which counts for nothing.
   */
  feed(run: StoredRun): boolean
  /** What the runs so far have reached. */
  coverage(): ChartCoverage
}

/**
 * Watches which states and transitions of a chart's own machines stored runs have been through.
 * Their records are fed again: no call is made and nothing is stored.
 *
 * @example
 * const watch = watchCoverage(chart)
 * for (const { runId } of await journal.list()) watch.feed(await journal.load(runId))
 * console.log(watch.coverage().transitions.missing)
 *
 * @throws AgentStatechartsError `chart_invalid` for a chart that cannot be run.
 */
export function watchCoverage(chart: AgentChart): CoverageWatch {
  const parts = Object.entries(chart.machines).map(([key, machine]) => {
    const transitions = transitionsOf(chart, key, machine)
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
