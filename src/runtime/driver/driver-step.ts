import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart, PlaceMeta } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { Announcement } from "../../machines/contract/run-event.js"
import type { Lookup, MachineEvent, Step } from "../../machines/contract/machine-kind.js"
import type { Effect } from "./effect.js"
import { stopOf } from "./effect.js"

/** Takes what a macrostep causes. */
export interface StepSink {
  readonly conditionSteps: SharedSteps
  announce(event: Announcement): void
  cause(effect: Effect): void
  tellParent(event: MachineEvent): void
}

/** What updates of a machine may look up and cause; they are only run while the driver is at one of its instances. */
export class DriverStep implements Step {
  readonly #driver: StepSink
  readonly #lookup: Lookup

  private constructor(driver: StepSink, lookup: Lookup) {
    this.#driver = driver
    this.#lookup = lookup
  }

  /** `last`, which is of the same driver, where it is of the same machine: instances share it. */
  static of(driver: StepSink, lookup: Lookup, last: DriverStep | null): DriverStep {
    return last !== null && last.#lookup === lookup ? last : new DriverStep(driver, lookup)
  }

  get chart(): AgentChart {
    return this.#lookup.chart
  }

  metaOf(place: string): PlaceMeta {
    return this.#lookup.metaOf(place)
  }

  condition(source: string): CompiledCondition {
    return this.#lookup.condition(source)
  }

  validate(schema: JsonObject, value: unknown): string | null {
    return this.#lookup.validate(schema, value)
  }

  get conditionSteps(): SharedSteps {
    return this.#driver.conditionSteps
  }

  emit(event: Announcement): void {
    this.#driver.announce(event)
  }

  start(id: string, src: string, input: unknown): void {
    this.#driver.cause({ id, src, input, invoked: null })
  }

  stop(id: string): void {
    this.#driver.cause(stopOf(id))
  }

  sendParent(event: MachineEvent): void {
    this.#driver.tellParent(event)
  }
}
