/** A step of the way that data takes: where it is now, how it got there, and where it was before. */
export interface FlowStep {
  /** Text such as `the text of reader`. */
  readonly at: string
  readonly agent: string | null
  /** What would have to pass the data on without a declaration; null: nothing is assumed. */
  readonly assumes: Undeclared | null
  readonly from: FlowStep | null
}

/** A function or a toolset that the policy file does not declare. */
export interface Undeclared {
  readonly of: "function" | "toolset"
  readonly name: string
}

/** Where the data can be between two steps of a run. */
export interface FlowState {
  readonly keys: ReadonlyMap<string, FlowStep>
  /** The history of the session (adk). */
  readonly history: FlowStep | null
  /** The words of the user. */
  readonly prompt: FlowStep | null
}

export const flowStep = (
  at: string,
  agent: string | null,
  from: FlowStep | null,
  assumes: Undeclared | null = null,
): FlowStep => ({ at, agent, assumes, from })

/** Returns the data that one of several steps has, preferring the first. */
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

/** Returns everything that is in one of two states. */
export function union(one: FlowState, other: FlowState): FlowState {
  let keys = one.keys
  for (const [key, step] of other.keys) if (!keys.has(key)) keys = new Map([...keys, [key, step]])
  const history = one.history ?? other.history
  const prompt = one.prompt ?? other.prompt
  return keys === one.keys && history === one.history && prompt === one.prompt
    ? one
    : { keys, history, prompt }
}

/** Returns whether two states have data in the same places. */
export const samePlaces = (one: FlowState, other: FlowState): boolean =>
  one.keys.size === other.keys.size &&
  [...one.keys.keys()].every((key) => other.keys.has(key)) &&
  (one.history === null) === (other.history === null) &&
  (one.prompt === null) === (other.prompt === null)

/** The steps of the way, in order. */
export function wayOf(last: FlowStep): readonly FlowStep[] {
  const way: FlowStep[] = []
  for (let step: FlowStep | null = last; step !== null; step = step.from) way.push(step)
  return way.reverse()
}
