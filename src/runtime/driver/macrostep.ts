import { decisionSteps } from "../../machines/containers/conditions.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { PolicyJudgement, ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import { appendItem } from "../async/append-item.js"
import type { DriverObserver } from "./driver-observer.js"
import type { StepSink } from "./driver-step.js"
import { DriverStep } from "./driver-step.js"
import type { Effect } from "./effect.js"
import { stopOf } from "./effect.js"
import { startAction, stopAction } from "./flatten.js"
import type { Instance } from "./instance.js"
import type { StepExecutor } from "./transition-cache.js"

/**
 * Effects that a macrostep of a machine has produced. They are executed after the macrostep. Each
 * list is null if it would be empty.
 */
export interface MacrostepEffects {
  /** Requests to start, stop or interrupt child machines and calls, in the order of the actions. */
  readonly children: readonly Effect[] | null
  /** Events to send to the parent machine, in the order of the actions. */
  readonly toParent: readonly MachineEvent[] | null
}

/**
 * Executes the macrosteps of all machines of a run. During a macrostep, it evaluates the guards and
 * executes the actions of one machine, and collects the effects of the actions.
 */
export class MacrostepExecutor implements StepExecutor, StepSink {
  /**
   * Counter that limits how many steps the conditions of the chart may use. All macrosteps that one
   * external event causes share the counter.
   */
  conditionSteps = decisionSteps()
  readonly #observer: DriverObserver
  #lastStep: DriverStep | null = null
  #current: Instance | null = null
  #effects: Effect[] | null = null
  #toParent: MachineEvent[] | null = null

  constructor(observer: DriverObserver) {
    this.#observer = observer
  }

  /** Resets the counter of condition steps. Called before each external event. */
  startEvent(): void {
    this.conditionSteps = decisionSteps()
  }

  /**
   * Executes one macrostep of a machine instance and returns its effects. `event` is null for the
   * first macrostep, which enters the initial state. Throws the error of the machine. Macrosteps
   * may be nested, because an action can stop another machine.
   */
  take(instance: Instance, event: MachineEvent | null): MacrostepEffects {
    const outer = this.#current
    const outerEffects = this.#effects
    const outerToParent = this.#toParent
    this.#current = instance
    this.#effects = null
    this.#toParent = null
    try {
      const { machine, context } = instance
      instance.state =
        event === null
          ? machine.initial(context, this)
          : machine.transition(instance.state, context, event, this)
      return { children: this.#effects, toParent: this.#toParent }
    } finally {
      this.#current = outer
      this.#effects = outerEffects
      this.#toParent = outerToParent
    }
  }

  /**
   * Executes an action of the machine whose macrostep is in progress. The action updates the
   * context, or starts or stops a child.
   */
  executeAction(type: string, params: unknown, event: MachineEvent): void {
    const instance = this.#current
    if (instance === null) return
    const { program } = instance.machine
    if (type === startAction) {
      const { id, src, input } = params as {
        readonly id: string
        readonly src: string
        readonly input: Readonly<Record<string, unknown>>
      }
      this.addEffect({
        id,
        src,
        input: program.kind.childInput(instance.context, src, input, program.lookup),
        invoked: input,
      })
    } else if (type === stopAction) {
      this.addEffect(stopOf((params as { readonly id: string }).id))
    } else {
      program.kind.updates[type]?.(
        instance.context,
        event,
        params as never,
        (instance.step ??= this.#lastStep = DriverStep.of(this, program.lookup, this.#lastStep)),
      )
    }
  }

  /** Evaluates a guard of the machine whose macrostep is in progress. */
  evaluateGuard(type: string, params: unknown, event: MachineEvent): boolean {
    const instance = this.#current
    if (instance === null) return false
    const { kind, lookup } = instance.machine.program
    return kind.guards[type]?.(instance.context, event, params as never, lookup) ?? false
  }

  emit(event: EmittedEvent): void {
    this.#observer.emitted(event, this.#current as Instance)
  }

  judge(event: ToolCalledEvent): PolicyJudgement | null {
    return this.#observer.judge(event)
  }

  /**
   * Adds a request to start, stop or interrupt a child machine or a call. The request is executed
   * after the current macrostep.
   */
  addEffect(effect: Effect): void {
    this.#effects = appendItem(this.#effects, effect)
  }

  sendToParent(event: MachineEvent): void {
    this.#toParent = appendItem(this.#toParent, { ...event, child: this.#current?.id })
  }
}
