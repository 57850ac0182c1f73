import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { ModelCallMeter } from "./model-call-meter.js"

/**
 * The meters of one run, which count its model calls and enforce limits. The run has one meter.
 * Each workflow inside a graph node has its own meter, because it has its own limits and budgets.
 * The key of such a meter is the root machine of the workflow, which has the type `Root`.
 */
export class ModelCallMeters<Root extends object> {
  readonly ofRun: ModelCallMeter
  #byRoot: WeakMap<Root, ModelCallMeter> | null = null

  constructor(chart: AgentChart) {
    this.ofRun = new ModelCallMeter(chart)
  }

  /**
   * Returns the meter of the workflow whose root machine is `root`. Creates the meter on the first
   * call.
   */
  of(root: Root, chart: AgentChart): ModelCallMeter {
    this.#byRoot ??= new WeakMap()
    const known = this.#byRoot.get(root)
    if (known !== undefined) return known
    const meter = new ModelCallMeter(chart)
    this.#byRoot.set(root, meter)
    return meter
  }
}
