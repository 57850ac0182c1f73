import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import type { RunError } from "../../machines/contract/run-event.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import { programOf, type ChartFeatures } from "../program/program.js"
import type { CallServices } from "../host/call-services.js"
import { missingServices } from "../host/missing-services.js"

/**
 * Returns the executable machine of a chart for its machine key, or undefined if the chart has no
 * such machine.
 */
export type MachinesOfChart = (key: string) => CompiledMachine | undefined

/** The charts that a runner has loaded. Each chart is validated and compiled only once. */
export class LoadedCharts {
  readonly #services: CallServices
  readonly #features: ChartFeatures
  readonly #loaded = new WeakMap<AgentChart, MachinesOfChart>()
  /**
   * Cache of the charts for which all services are registered. The services of these charts are not
   * checked again.
   */
  readonly #checked = new WeakSet<AgentChart>()
  readonly #callers = new WeakMap<AgentChart, boolean>()

  constructor(services: CallServices, features: ChartFeatures) {
    this.#services = services
    this.#features = features
  }

  /**
   * Returns the executable machines of a chart. Validates and compiles the chart when it is first
   * used.
   *
   * @throws AgentStatechartsError `chart_invalid`, or `feature_missing`
   */
  machinesOf(chart: AgentChart): MachinesOfChart {
    const known = this.#loaded.get(chart)
    if (known !== undefined) return known
    checkChart(chart, "runner.start")
    const machines = compiledMachines(programOf(chart, this.#features))
    this.#loaded.set(chart, machines)
    return machines
  }

  /**
   * Returns an error that lists the services that the chart needs and that are not registered.
   * Returns null if no service is missing. Also returns null if the runner uses the recorded
   * results of another run, because missing services may then not be needed.
   */
  refusalOf(chart: AgentChart): RunError | null {
    // If recorded results are used, missing services may not be needed.
    if (this.#services.recorded !== undefined || this.#checked.has(chart)) return null
    const refusal = missingServices(chart, this.#services)
    if (refusal === null) this.#checked.add(chart)
    return refusal
  }

  /** Returns true if an agent of the chart, or of its graph nodes, calls another workflow. */
  callsWorkflows(chart: AgentChart): boolean {
    const known = this.#callers.get(chart)
    if (known !== undefined) return known
    const calls = firstCaller(chart) !== null
    this.#callers.set(chart, calls)
    return calls
  }
}
