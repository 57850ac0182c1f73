import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunOrder } from "../../runtime/engine/execute-run.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import { newRun } from "../../runtime/run/new-run.js"
import { loadProgram } from "../../runtime/program/load-program.js"
import type { EngineStart } from "./engine-runs.js"

/**
 * Validates the chart and the options of a new run, and returns the input of the engine workflow
 * that executes the run. Invalid input is therefore rejected before the engine stores it.
 *
 * @throws AgentStatechartsError `chart_invalid`, `input_refused`
 */
export function newRunOrder(
  chart: AgentChart,
  { runId = randomIds.next(), ...input }: EngineStart,
  at: number,
): RunOrder {
  const order: RunOrder = { ...input, runId, chart, at }
  newRun(chart, order, order)
  loadProgram(chart)
  return order
}
