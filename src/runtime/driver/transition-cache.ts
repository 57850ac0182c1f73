import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-event.js"

/**
 * A state of a state machine, without the context. All instances of the machine that are in this
 * state share one object.
 */
export interface CachedState {
  readonly snapshot: AnyMachineSnapshot
  /** Cached transitions from this state, by the event key that `eventCacheKey` returns. */
  readonly transitions: Map<string, CachedTransition>
}

/**
 * A node in the decision tree of a cached transition. It contains the actions to execute, followed
 * by either a guard with two branches or the target state. The tree depends only on the current
 * state, the event key and the guard results, so it can be executed without XState.
 */
export interface CachedTransition {
  /**
   * The parent node and the result of its guard that leads to this node. null for the root of the
   * tree.
   */
  readonly previous: GuardResult | null
  readonly actions: CachedStep[]
  guard: CachedStep | null
  ifTrue: CachedTransition | null
  ifFalse: CachedTransition | null
  target: CachedState | null
}

/** A node of a cached transition, together with one result of the guard in this node. */
export interface GuardResult {
  readonly node: CachedTransition
  readonly result: boolean
}

/** The name and the parameters of an action or of a guard in a cached transition. */
export interface CachedStep {
  readonly type: string
  readonly params: unknown
  /**
   * The event for the action or guard, if XState raised this event during the transition. null if
   * the action or guard receives the event that started the transition.
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

/**
 * Executes the actions and evaluates the guards of one machine instance. `type` is the name of the
 * action or guard.
 */
export interface StepExecutor {
  executeAction(type: string, params: unknown, event: MachineEvent): void
  evaluateGuard(type: string, params: unknown, event: MachineEvent): boolean
}

/**
 * Records the actions and guards of a transition while XState computes it, so that the transition
 * can be cached.
 *
 * The start of the transition may already be in the cache. Its actions were then executed and its
 * guards were evaluated before XState starts to compute. The recorder does not execute these
 * actions again, and returns the known guard results to XState.
 */
export class TransitionRecorder {
  readonly #executor: StepExecutor
  readonly #event: MachineEvent
  readonly #knownResults: readonly boolean[]
  #guardCount = 0
  /** Number of actions that this object must skip, because they were executed from the cache. */
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

  /**
   * Executes an action and records it. Skips an action that the cached start of the transition has
   * already executed.
   */
  executeAction(type: string, params: unknown, event: MachineEvent): void {
    if (this.#actionsToSkip > 0) {
      this.#actionsToSkip--
      return
    }
    this.#current.actions.push(this.#cachedStep(type, params, event))
    this.#executor.executeAction(type, params, event)
  }

  /**
   * Returns the result of a guard. If the result is known from the cache, returns it. Otherwise
   * evaluates the guard and records the result.
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
   * Ends the recording after the machine has reached the state `target`. Returns the first node
   * that was recorded. The cache adds this node to the decision tree of the transition.
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
