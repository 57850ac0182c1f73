import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"

/** Where a machine stands: XState's snapshot, without the memory of any instance. Every instance that stands there shares it. */
export interface CachedState {
  readonly snapshot: AnyMachineSnapshot
  /** What XState did from here, by the key of the event's way. */
  readonly known: Map<string, CachedTransition>
}

/**
 * What XState does for one event, written down while it did it: actions, then either a guard by which it goes on in one of two ways, or
 * the end. What it does depends on where the machine stands, on the type of the event, and on what the guards say: on nothing
 * else. So the same way can be gone again without it.
 */
export interface CachedTransition {
  /** What was decided before it, and the answer of that one's guard that led here. */
  readonly after: GuardResult | null
  readonly actions: CachedStep[]
  guard: CachedStep | null
  holds: CachedTransition | null
  fails: CachedTransition | null
  end: CachedState | null
}

export interface GuardResult {
  readonly decision: CachedTransition
  readonly answer: boolean
}

/** An action or a guard that XState named. */
export interface CachedStep {
  readonly type: string
  readonly params: unknown
  /** One that XState raised itself; null for the event that is being handled. */
  readonly raised: MachineEvent | null
}

const undecided = (after: GuardResult | null): CachedTransition => ({
  after,
  actions: [],
  guard: null,
  holds: null,
  fails: null,
  end: null,
})

/** Carries out what XState names, on the context of one instance. */
export interface StepExecutor {
  act(type: string, params: unknown, event: MachineEvent): void
  ask(type: string, params: unknown, event: MachineEvent): boolean
}

/**
 * Writes a decision down while XState makes it. Where a part of the way is known, that part was carried out already: XState is given the
 * same answers again and goes on from there.
 */
export class TransitionRecorder {
  readonly #executor: StepExecutor
  readonly #event: MachineEvent
  readonly #known: readonly boolean[]
  #asked = 0
  /** Actions that are still to come which were carried out already. */
  #done: number
  readonly #first: CachedTransition
  #now: CachedTransition

  constructor(executor: StepExecutor, event: MachineEvent, known: GuardResult | null) {
    this.#executor = executor
    this.#event = event
    this.#known = answersOf(known)
    this.#done = actionsOf(known)
    this.#first = undecided(known)
    this.#now = this.#first
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
    const next = undecided({ decision: this.#now, answer })
    this.#now.guard = this.#planned(type, params, event)
    this.#now[answer ? "holds" : "fails"] = next
    this.#now = next
    return answer
  }

  /** What was not known before. */
  endsIn(end: CachedState): CachedTransition {
    this.#now.end = end
    return this.#first
  }

  #planned(type: string, params: unknown, event: MachineEvent): CachedStep {
    return { type, params, raised: event === this.#event ? null : event }
  }
}

function answersOf(known: GuardResult | null): readonly boolean[] {
  const answers: boolean[] = []
  for (let one = known; one !== null; one = one.decision.after) answers.push(one.answer)
  return answers.reverse()
}

function actionsOf(known: GuardResult | null): number {
  let count = 0
  for (let one = known; one !== null; one = one.decision.after) count += one.decision.actions.length
  return count
}
