import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import { loadProgram } from "../program/load-program.js"
import type { ReplayedParts } from "./replayed-run.js"
import { markedProgram } from "./instrumented-program.js"

type Machines = NonNullable<ReplayedParts["machine"]>

/**
 * A chart's compiled machines in two versions: the machines of `machine` record each state that a
 * run enters, and those of `plain` do not.
 */
export interface ChartVisits {
  /** The machines that do not record states, for normal execution. */
  readonly plain: Machines
  readonly machine: Machines
  /**
   * Calls `act` and returns its value, together with the states that runs have entered during the
   * call, in the form `MACHINE#STATE`.
   */
  during<Value>(act: () => Value): {
    readonly value: Value
    readonly states: ReadonlySet<string>
  }
}

/**
 * Compiles a chart for `pastRun` and records the states that its runs enter.
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function chartVisits(chart: AgentChart): ChartVisits {
  const program = loadProgram(chart)
  let states = new Set<string>()
  const machine = compiledMachines(
    markedProgram(program, {
      entered: (key, state) => void states.add(`${key}#${state}`),
      took: () => {},
    }),
  )
  return {
    plain: compiledMachines(program),
    machine,
    during(act) {
      states = new Set()
      const value = act()
      return { value, states }
    },
  }
}
