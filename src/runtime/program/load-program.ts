import { compileCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { libraryMachines } from "../../machines/registry/machine-registry.js"
import { type ChartProgram, programOf } from "./program.js"

/**
 * Validates a chart and connects its machines with their implementations (guards and actions). All
 * features of the runtime are available to the chart.
 *
 * @throws AgentStatechartsError `chart_invalid` with the machine, the state and the missing name
 */
export const loadProgram = (chart: AgentChart): ChartProgram =>
  programOf(chart, { machines: libraryMachines, summarizes: true, compileCondition })
