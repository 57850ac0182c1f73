import type { CompiledCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { StateMeta } from "../../machines/contract/chart-machine.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { PolicyJudgement, ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { DecisionSteps, Lookup, Step } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { Effect } from "./effect.js"
import { interruptOf, stopOf } from "./effect.js"

/**
 * Receives the events and effects (for example the start of a child) that the actions of a machine
 * produce during the current macrostep.
 */
export interface StepSink {
  readonly conditionSteps: DecisionSteps
  emit(event: EmittedEvent): void
  judge(event: ToolCalledEvent): PolicyJudgement | null
  addEffect(effect: Effect): void
  sendToParent(event: MachineEvent): void
}

/**
 * The operations that the actions of a machine may call, for example `emit` to emit an event or
 * `start` to start a child. They may only be called during a macrostep of the machine.
 */
export class DriverStep implements Step {
  readonly #driver: StepSink
  readonly #lookup: Lookup

  private constructor(driver: StepSink, lookup: Lookup) {
    this.#driver = driver
    this.#lookup = lookup
  }

  /**
   * Returns the operations for a machine whose chart data is `lookup`. Returns `last` if it has the
   * same `lookup`, and otherwise a new object. Several instances of a machine can therefore share
   * one `DriverStep`.
   */
  static of(driver: StepSink, lookup: Lookup, last: DriverStep | null): DriverStep {
    return last !== null && last.#lookup === lookup ? last : new DriverStep(driver, lookup)
  }

  get chart(): AgentChart {
    return this.#lookup.chart
  }

  metaOf(place: string): StateMeta {
    return this.#lookup.metaOf(place)
  }

  condition(source: string): CompiledCondition {
    return this.#lookup.condition(source)
  }

  validate(schema: JsonObject, value: unknown): string | null {
    return this.#lookup.validate(schema, value)
  }

  get conditionSteps(): DecisionSteps {
    return this.#driver.conditionSteps
  }

  emit(event: EmittedEvent): void {
    this.#driver.emit(event)
  }

  judge(event: ToolCalledEvent): PolicyJudgement | null {
    return this.#driver.judge(event)
  }

  start(id: string, src: string, input: unknown): void {
    this.#driver.addEffect({ id, src, input, invoked: null })
  }

  stop(id: string): void {
    this.#driver.addEffect(stopOf(id))
  }

  interrupt(id: string, time: number): void {
    this.#driver.addEffect(interruptOf(id, time))
  }

  sendParent(event: MachineEvent): void {
    this.#driver.sendToParent(event)
  }
}
