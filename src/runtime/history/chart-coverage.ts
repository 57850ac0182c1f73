import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { StoredRun } from "../journal/journal.js"
import { loadProgram } from "../driver/program.js"
import type { ChartStatePart, ChartTransitionPart } from "./chart-parts.js"
import { statePartsOf, transitionsOf } from "./chart-parts.js"
import { markedProgram } from "./instrumented-program.js"
import { pastRun } from "./replayed-run.js"

/** The states and transitions of a chart that runs have reached. */
export interface ChartCoverage {
  /** Number of processed runs. */
  readonly runs: number
  readonly states: Covered<ChartStatePart>
  readonly transitions: Covered<ChartTransitionPart>
  /**
   * States and transitions that only limits, stops and pauses reach, or that nothing reaches. They
   * are counted separately, so that the rest can be complete.
   */
  readonly apart: {
    readonly states: Covered<ChartStatePart>
    readonly transitions: Covered<ChartTransitionPart>
  }
}

/** The number of reached parts of a chart, their total, and the missing parts. */
export interface Covered<Part> {
  readonly reached: number
  readonly of: number
  readonly missing: readonly Part[]
}

/** Measures the coverage of a chart. */
export interface CoverageWatch {
  /** Processes the records of a run. Returns false and ignores the run if it has another chart. */
  feed(run: StoredRun): boolean
  /** Returns the coverage of all processed runs. */
  coverage(): ChartCoverage
}

/**
 * Measures which states and transitions of a chart stored runs have reached. It processes their
 * records, makes no calls and stores nothing.
 *
 * @example
 * const watch = watchCoverage(chart)
 * for (const { runId } of await journal.list()) watch.feed(await journal.load(runId))
 * console.log(watch.coverage().transitions.missing)
 *
 * @throws AgentStatechartsError `chart_invalid`
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
