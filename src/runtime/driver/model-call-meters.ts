import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { ModelCallMeter } from "./model-call-meter.js"

/**
 * The model call meters of one run: one for the run itself, and one for each graph node that
 * contains a workflow, because these workflows have their own limits and budgets. `Root` is the
 * type of a workflow's root machine.
 */
export class ModelCallMeters<Root extends object> {
  readonly ofRun: ModelCallMeter
  #byRoot: WeakMap<Root, ModelCallMeter> | null = null

  constructor(chart: AgentChart) {
    this.ofRun = new ModelCallMeter(chart)
  }

  /**
   * Returns the meter of the workflow whose root machine is `root`. Creates the meter on the first
   * request.
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
