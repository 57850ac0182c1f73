import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import type { RunError } from "../../machines/contract/run-event.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import { programOf, type ChartFeatures } from "../program/program.js"
import type { CallServices } from "../host/call-services.js"
import { missingServices } from "../host/missing-services.js"

/** A function that returns a chart's compiled machine by its key, or undefined if there is none. */
export type MachinesOfChart = (key: string) => CompiledMachine | undefined

/** The charts that a runner has loaded. Each chart is loaded and checked once. */
export class LoadedCharts {
  readonly #services: CallServices
  readonly #features: ChartFeatures
  readonly #loaded = new WeakMap<AgentChart, MachinesOfChart>()
  /** Charts whose services are known to be registered. */
  readonly #checked = new WeakSet<AgentChart>()
  readonly #callers = new WeakMap<AgentChart, boolean>()

  constructor(services: CallServices, features: ChartFeatures) {
    this.#services = services
    this.#features = features
  }

  /**
   * Returns the compiled machines of a chart. Checks and compiles the chart at its first use.
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
   * Returns null if none are missing, or if recorded results are used.
   */
  refusalOf(chart: AgentChart): RunError | null {
    // Recorded results may answer every call of a service that is not registered.
    if (this.#services.recorded !== undefined || this.#checked.has(chart)) return null
    const refusal = missingServices(chart, this.#services)
    if (refusal === null) this.#checked.add(chart)
    return refusal
  }

  /** Returns whether an agent of the chart, or of its graph nodes, calls another workflow. */
  callsWorkflows(chart: AgentChart): boolean {
    const known = this.#callers.get(chart)
    if (known !== undefined) return known
    const calls = firstCaller(chart) !== null
    this.#callers.set(chart, calls)
    return calls
  }
}
