import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import { loadProgram } from "../program/load-program.js"
import type { ReplayedParts } from "./replayed-run.js"
import { markedProgram } from "./instrumented-program.js"

type Machines = NonNullable<ReplayedParts["machine"]>

/**
 * The executable machines of a chart in two versions. The machines of `machine` record each state
 * that a run enters, and the machines of `plain` do not.
 */
export interface ChartVisits {
  /**
   * The machines that do not record the states that a run enters. They are used for normal
   * execution.
   */
  readonly plain: Machines
  readonly machine: Machines
  /**
   * Calls `act` and returns its result, together with the states that runs have entered during the
   * call. A state is written as `MACHINE#STATE`, where STATE consists of state keys joined by dots.
   */
  during<Value>(act: () => Value): {
    readonly value: Value
    readonly states: ReadonlySet<string>
  }
}

/**
 * Compiles a chart twice, with and without recording of the states that runs enter.
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
