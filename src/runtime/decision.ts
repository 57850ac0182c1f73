import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../machines/step.js"

/** Where a machine stands: XState's snapshot, without the memory of any instance. Every instance that stands there shares it. */
export interface Configuration {
  readonly snapshot: AnyMachineSnapshot
  /** What XState did from here, by the type of the event. */
  readonly known: Map<string, Decision>
}

/**
 * What XState does for one event, written down while it did it: actions, then either a guard by which it goes on in one of two ways, or
 * the end. What it does depends on where the machine stands, on the type of the event, and on what the guards say: on nothing
 * else. So the same way can be gone again without it.
 */
export interface Decision {
  readonly actions: PlannedStep[]
  guard: PlannedStep | null
  holds: Decision | null
  fails: Decision | null
  end: Configuration | null
}

/** An action or a guard that XState named. */
export interface PlannedStep {
  readonly type: string
  readonly params: unknown
  /** One that XState raised itself; null for the event that is being handled. */
  readonly raised: MachineEvent | null
}

const undecided = (): Decision => ({ actions: [], guard: null, holds: null, fails: null, end: null })

/** Carries out what XState names, on the context of one instance. */
export interface StepExecutor {
  act(type: string, params: unknown, event: MachineEvent): void
  ask(type: string, params: unknown, event: MachineEvent): boolean
}

/**
 * Writes a decision down while XState makes it. Where a part of the way is known, that part was carried out already: XState is given the
 * same answers again and goes on from there.
 */
export class Trail {
  readonly #executor: StepExecutor
  readonly #event: MachineEvent
  readonly #known: readonly boolean[]
  #asked = 0
  /** Actions that are still to come which were carried out already. */
  #done: number
  readonly #first: Decision = undecided()
  #now = this.#first

  constructor(executor: StepExecutor, event: MachineEvent, known: readonly boolean[], done: number) {
    this.#executor = executor
    this.#event = event
    this.#known = known
    this.#done = done
  }

  act(type: string, params: unknown, event: MachineEvent): void {
    if (this.#done > 0) {
      this.#done--
      return
    }
    this.#now.actions.push(this.#planned(type, params, event))
    this.#executor.act(type, params, event)
  }

  ask(type: string, params: unknown, event: MachineEvent): boolean {
    const known = this.#known[this.#asked++]
    if (known !== undefined) return known
    const answer = this.#executor.ask(type, params, event)
    const next = undecided()
    this.#now.guard = this.#planned(type, params, event)
    this.#now[answer ? "holds" : "fails"] = next
    this.#now = next
    return answer
  }

  /** What was not known before. */
  endsIn(end: Configuration): Decision {
    this.#now.end = end
    return this.#first
  }

  #planned(type: string, params: unknown, event: MachineEvent): PlannedStep {
    return { type, params, raised: event === this.#event ? null : event }
  }
}
