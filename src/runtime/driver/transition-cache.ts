import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-event.js"

/**
 * A state of a machine without its context. All instances of the machine in this state share one
 * `CachedState`.
 */
export interface CachedState {
  readonly snapshot: AnyMachineSnapshot
  /** Cached transitions from this state, by event key (see `eventCacheKey`). */
  readonly transitions: Map<string, CachedTransition>
}

/**
 * A node in the decision tree of a cached transition. It contains actions to execute, followed by a
 * guard with two branches or by the target state. The tree depends only on the current state, the
 * event key and the guard results, so it can be executed without XState.
 */
export interface CachedTransition {
  /** Guard result that leads to this node; null for the root of the tree. */
  readonly previous: GuardResult | null
  readonly actions: CachedStep[]
  guard: CachedStep | null
  ifTrue: CachedTransition | null
  ifFalse: CachedTransition | null
  target: CachedState | null
}

/** A node of a cached transition, together with one result of the guard at this node. */
export interface GuardResult {
  readonly node: CachedTransition
  readonly result: boolean
}

/** The name and the parameters of an action or guard of a cached transition. */
export interface CachedStep {
  readonly type: string
  readonly params: unknown
  /**
   * The event that the action or guard receives, if XState raised it during the transition. null if
   * it receives the event that is being processed.
   */
  readonly raised: MachineEvent | null
}

const emptyTransition = (previous: GuardResult | null): CachedTransition => ({
  previous,
  actions: [],
  guard: null,
  ifTrue: null,
  ifFalse: null,
  target: null,
})

/** An object that executes the actions and evaluates the guards of one machine instance. */
export interface StepExecutor {
  executeAction(type: string, params: unknown, event: MachineEvent): void
  evaluateGuard(type: string, params: unknown, event: MachineEvent): boolean
}

/**
 * A recorder of the actions and guards of a transition while XState executes it. If the start of
 * the transition is already cached, its actions have been executed from the cache. The recorder
 * then skips these actions and returns the known guard results to XState.
 */
export class TransitionRecorder {
  readonly #executor: StepExecutor
  readonly #event: MachineEvent
  readonly #knownResults: readonly boolean[]
  #guardCount = 0
  /** Number of actions that were already executed and must be skipped. */
  #actionsToSkip: number
  readonly #first: CachedTransition
  #current: CachedTransition

  constructor(executor: StepExecutor, event: MachineEvent, known: GuardResult | null) {
    this.#executor = executor
    this.#event = event
    this.#knownResults = guardResultsUntil(known)
    this.#actionsToSkip = actionCountUntil(known)
    this.#first = emptyTransition(known)
    this.#current = this.#first
  }

  /** Executes and records an action. Skips an action that was already executed from the cache. */
  executeAction(type: string, params: unknown, event: MachineEvent): void {
    if (this.#actionsToSkip > 0) {
      this.#actionsToSkip--
      return
    }
    this.#current.actions.push(this.#cachedStep(type, params, event))
    this.#executor.executeAction(type, params, event)
  }

  /**
   * Returns the result of a guard. A new result is recorded, and a cached result is returned
   * unchanged.
   */
  evaluateGuard(type: string, params: unknown, event: MachineEvent): boolean {
    const known = this.#knownResults[this.#guardCount++]
    if (known !== undefined) return known
    const result = this.#executor.evaluateGuard(type, params, event)
    const next = emptyTransition({ node: this.#current, result })
    this.#current.guard = this.#cachedStep(type, params, event)
    this.#current[result ? "ifTrue" : "ifFalse"] = next
    this.#current = next
    return result
  }

  /**
   * Ends the recording when the machine has reached the state `target`. Returns the first recorded
   * node of the decision tree.
   */
  finish(target: CachedState): CachedTransition {
    this.#current.target = target
    return this.#first
  }

  #cachedStep(type: string, params: unknown, event: MachineEvent): CachedStep {
    return { type, params, raised: event === this.#event ? null : event }
  }
}

function guardResultsUntil(last: GuardResult | null): readonly boolean[] {
  const results: boolean[] = []
  for (let known = last; known !== null; known = known.node.previous) results.push(known.result)
  return results.reverse()
}

function actionCountUntil(last: GuardResult | null): number {
  let count = 0
  for (let known = last; known !== null; known = known.node.previous)
    count += known.node.actions.length
  return count
}
