import type { AnyMachineSnapshot } from "xstate"
import type { MachineEvent } from "../../machines/contract/machine-event.js"

/**
 * A state of a machine: XState's snapshot without the context. All instances in this state share
 * it.
 */
export interface CachedState {
  readonly snapshot: AnyMachineSnapshot
  /** The transitions that XState took from this state, by event key (`eventCacheKey`). */
  readonly transitions: Map<string, CachedTransition>
}

/**
 * One node of the decision tree that XState followed for an event: actions, then either a guard
 * with two branches, or the target state. The tree depends only on the current state, the event key
 * and the results of the guards, so later events can follow it without XState.
 */
export interface CachedTransition {
  /** The guard result that led to this node; null for the first node. */
  readonly previous: GuardResult | null
  readonly actions: CachedStep[]
  guard: CachedStep | null
  ifTrue: CachedTransition | null
  ifFalse: CachedTransition | null
  target: CachedState | null
}

/** The result of the guard of one node. */
export interface GuardResult {
  readonly node: CachedTransition
  readonly result: boolean
}

/** An action or a guard by name. */
export interface CachedStep {
  readonly type: string
  readonly params: unknown
  /** The event that XState raised itself; null for the event that is being handled. */
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

/** Executes actions and evaluates guards on the context of one instance. */
export interface StepExecutor {
  executeAction(type: string, params: unknown, event: MachineEvent): void
  evaluateGuard(type: string, params: unknown, event: MachineEvent): boolean
}

/**
 * Records the actions and guards of one transition while XState takes it. If the first nodes come
 * from the cache, their actions were executed already: the recorder skips them and returns the same
 * guard results to XState.
 */
export class TransitionRecorder {
  readonly #executor: StepExecutor
  readonly #event: MachineEvent
  readonly #knownResults: readonly boolean[]
  #guardCount = 0
  /** Number of actions to skip because they were executed from the cache. */
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

  /** Executes and records an action, unless it was executed from the cache. */
  executeAction(type: string, params: unknown, event: MachineEvent): void {
    if (this.#actionsToSkip > 0) {
      this.#actionsToSkip--
      return
    }
    this.#current.actions.push(this.#cachedStep(type, params, event))
    this.#executor.executeAction(type, params, event)
  }

  /** Returns the result of a guard and records it, unless the cache contains it already. */
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

  /** Ends the recording in the target state. Returns the first node that was not in the cache. */
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
