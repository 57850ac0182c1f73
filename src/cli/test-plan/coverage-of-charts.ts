import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Covered, CoverageCollector } from "../../runtime/index.js"
import { collectCoverage } from "../../runtime/index.js"
import { collectNodeCoverage } from "./node-coverage.js"

interface InMachine {
  readonly machine: string
}

const plus = <Part>(one: Covered<Part>, other: Covered<Part>): Covered<Part> => ({
  reached: one.reached + other.reached,
  of: one.of + other.of,
  missing: [...one.missing, ...other.missing],
})

/**
 * Measures the coverage of several charts. `charts` contains the chart of the run, followed by the
 * charts that it calls. Outcomes of graph nodes count as transitions. The machine names of a called
 * chart begin with the id of this chart.
 */
export function collectCoverageOfCharts(charts: readonly AgentChart[]): CoverageCollector {
  const collectors = charts.map((chart) => ({
    machines: collectCoverage(chart),
    nodes: collectNodeCoverage(chart),
  }))
  // The parts of the coverage are compared by identity, so each part is renamed only once.
  const renamed = new Map<object, object>()
  const named = <Part extends InMachine>(part: Part, chart: number): Part => {
    if (chart === 0) return part
    const known = renamed.get(part) ?? {
      ...part,
      machine: `${charts[chart]?.id ?? ""}/${part.machine}`,
    }
    renamed.set(part, known)
    // The map contains copies of the same type.
    return known as Part
  }
  const sum = <Part extends InMachine>(all: readonly Covered<Part>[]): Covered<Part> => ({
    reached: all.reduce((total, { reached }) => total + reached, 0),
    of: all.reduce((total, one) => total + one.of, 0),
    missing: all.flatMap(({ missing }, chart) => missing.map((part) => named(part, chart))),
  })
  return {
    add(run) {
      for (const { nodes } of collectors) nodes.add(run)
      return collectors.map(({ machines }) => machines.add(run)).includes(true)
    },
    coverage() {
      const all = collectors.map(({ machines, nodes }) => {
        const coverage = machines.coverage()
        return { ...coverage, transitions: plus(coverage.transitions, nodes.coverage()) }
      })
      return {
        runs: all[0]?.runs ?? 0,
        states: sum(all.map(({ states }) => states)),
        transitions: sum(all.map(({ transitions }) => transitions)),
        exceptional: {
          states: sum(all.map(({ exceptional }) => exceptional.states)),
          transitions: sum(all.map(({ exceptional }) => exceptional.transitions)),
        },
      }
    },
  }
}
