/**
 * One step of a data path: the current place of the data, how it got there, and the previous step.
 */
export interface FlowStep {
  /** The place in words, such as `the text of reader`. */
  readonly at: string
  readonly agent: string | null
  /**
   * The undeclared function or toolset that must pass the data on for this step. null: the step
   * needs no assumption.
   */
  readonly assumes: Undeclared | null
  readonly from: FlowStep | null
}

/** A function or toolset that the policy file does not declare. */
export interface Undeclared {
  readonly of: "function" | "toolset"
  readonly name: string
}

/** The places that can contain the data between two steps of a run. */
export interface FlowState {
  readonly keys: ReadonlyMap<string, FlowStep>
  /** The history of the session (adk). */
  readonly history: FlowStep | null
  /** The prompt of the user. */
  readonly prompt: FlowStep | null
}

export const flowStep = (
  at: string,
  agent: string | null,
  from: FlowStep | null,
  assumes: Undeclared | null = null,
): FlowStep => ({ at, agent, assumes, from })

/** Returns the first step that carries data, or null. */
export const firstOf = (...steps: readonly (FlowStep | null | undefined)[]): FlowStep | null =>
  steps.find((step) => step != null) ?? null

/** Returns the data that can be in any key of the session state. */
export const anyKey = ({ keys }: FlowState): FlowStep | null => {
  for (const step of keys.values()) return step
  return null
}

export function withKey(state: FlowState, key: string, step: FlowStep | null): FlowState {
  if (step === null || state.keys.has(key)) return state
  return {
    ...state,
    keys: new Map([...state.keys, [key, flowStep(`the key ${key}`, null, step)]]),
  }
}

/** Replaces the value of a key, so that earlier data is gone. */
export function replaceKey(state: FlowState, key: string, step: FlowStep | null): FlowState {
  const keys = new Map(state.keys)
  keys.delete(key)
  return withKey({ ...state, keys }, key, step)
}

export const withHistory = (state: FlowState, step: FlowStep | null): FlowState =>
  step === null || state.history !== null
    ? state
    : { ...state, history: flowStep("the history", null, step) }

/** Returns the union of two states. */
export function union(one: FlowState, other: FlowState): FlowState {
  let keys = one.keys
  for (const [key, step] of other.keys) if (!keys.has(key)) keys = new Map([...keys, [key, step]])
  const history = one.history ?? other.history
  const prompt = one.prompt ?? other.prompt
  return keys === one.keys && history === one.history && prompt === one.prompt
    ? one
    : { keys, history, prompt }
}

/** Returns whether two states contain data in the same places. */
export const samePlaces = (one: FlowState, other: FlowState): boolean =>
  one.keys.size === other.keys.size &&
  [...one.keys.keys()].every((key) => other.keys.has(key)) &&
  (one.history === null) === (other.history === null) &&
  (one.prompt === null) === (other.prompt === null)

/** Returns the steps of a data path, in order. */
export function wayOf(last: FlowStep): readonly FlowStep[] {
  const way: FlowStep[] = []
  for (let step: FlowStep | null = last; step !== null; step = step.from) way.push(step)
  return way.reverse()
}
