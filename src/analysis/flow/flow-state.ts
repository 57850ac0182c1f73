import type { FlowEndpointKind } from "../../policies/policy.js"

/**
 * The kind of a location that data can reach in the data flow analysis. The location is a source, a
 * sink, or a location between them. The kind `tool` means a tool that an undeclared toolset may
 * contain.
 */
export type DataLocationKind =
  | FlowEndpointKind
  | "conversation"
  | "history"
  | "template"
  | "function"
  | "tool"

/**
 * One step of a data path in the data flow analysis. It contains the location that the data has
 * reached, and the previous step (`from`). A value with tainted data (data from a source of the
 * policy) is represented by its step. A value without tainted data is represented by null.
 */
export interface FlowStep {
  readonly kind: DataLocationKind
  /**
   * Name of the tool, agent, key, function or server. For the kind `history`, `session` means the
   * history of a stored session, and `run` means the history of the current run.
   */
  readonly name: string
  readonly agent: string | null
  /**
   * The undeclared function, toolset or machine that may pass on the data. Without this assumption,
   * the step is impossible. null if the step needs no assumption.
   */
  readonly assumes: Undeclared | null
  readonly from: FlowStep | null
}

/**
 * An element of a workflow whose data flow is uncertain. It is a function or toolset that the
 * policy file does not declare, or a MachineAgent, whose XState machine is not analyzed.
 */
export interface Undeclared {
  readonly of: "function" | "toolset" | "machine"
  readonly name: string
}

/**
 * The tainted data (data from a source of the policy) that exists between two steps of a run. It is
 * in session state keys, in the history and in the prompt.
 */
export interface FlowState {
  readonly keys: ReadonlyMap<string, FlowStep>
  /** Tainted data in the history of the session. Only in the adk dialect. null if there is none. */
  readonly history: FlowStep | null
  /** Tainted data in the prompt of the user. null if there is none. */
  readonly prompt: FlowStep | null
}

export const flowStep = (
  kind: DataLocationKind,
  name: string,
  agent: string | null,
  from: FlowStep | null,
  assumes: Undeclared | null = null,
): FlowStep => ({ kind, name, agent, assumes, from })

/** Returns a description of a location of data for messages, such as `the text of reader`. */
export function stepText({ kind, name }: Pick<FlowStep, "kind" | "name">): string {
  switch (kind) {
    case "key":
    case "tool":
    case "server":
      return `the ${kind} ${name}`
    case "function":
      return `the function "${name}"`
    case "template":
      return `a template that reads ${name}`
    case "prompt":
      return "the words of the user"
    case "history":
      return name === "session" ? "the history of the session" : "the history"
    case "answer":
      return `the answer of a person to ${name}`
    default:
      return `the ${kind} of ${name}`
  }
}

/** Returns the first argument that is not null or undefined, or null if there is none. */
export const firstOf = (...steps: readonly (FlowStep | null | undefined)[]): FlowStep | null =>
  steps.find((step) => step != null) ?? null

/**
 * Returns the tainted data (data from a source of the policy) of the first session state key that
 * contains such data. Returns null if no key contains such data.
 */
export const anyKey = ({ keys }: FlowState): FlowStep | null => {
  for (const step of keys.values()) return step
  return null
}

export function withKey(state: FlowState, key: string, step: FlowStep | null): FlowState {
  if (step === null || state.keys.has(key)) return state
  return {
    ...state,
    keys: new Map([...state.keys, [key, flowStep("key", key, null, step)]]),
  }
}

/**
 * Overwrites a session state key. Removes the tainted data (data from a source of the policy) of
 * its old value. `step` is the tainted data of the new value, or null if there is none.
 */
export function replaceKey(state: FlowState, key: string, step: FlowStep | null): FlowState {
  const keys = new Map(state.keys)
  keys.delete(key)
  return withKey({ ...state, keys }, key, step)
}

export const withHistory = (state: FlowState, step: FlowStep | null): FlowState =>
  step === null || state.history !== null
    ? state
    : { ...state, history: flowStep("history", "run", null, step) }

/**
 * Returns a state that contains the tainted data (data from a source of the policy) of both states.
 */
export function union(one: FlowState, other: FlowState): FlowState {
  let keys = one.keys
  for (const [key, step] of other.keys) if (!keys.has(key)) keys = new Map([...keys, [key, step]])
  const history = one.history ?? other.history
  const prompt = one.prompt ?? other.prompt
  return keys === one.keys && history === one.history && prompt === one.prompt
    ? one
    : { keys, history, prompt }
}

/**
 * Returns whether two states of the data flow analysis contain tainted data in the same locations.
 * The locations are session state keys, the history and the prompt. Tainted data is data from a
 * source of the policy.
 */
export const sameState = (one: FlowState, other: FlowState): boolean =>
  one.keys.size === other.keys.size &&
  [...one.keys.keys()].every((key) => other.keys.has(key)) &&
  (one.history === null) === (other.history === null) &&
  (one.prompt === null) === (other.prompt === null)

/** Returns the steps of the data path that ends with `last`, starting with the source. */
export function pathOf(last: FlowStep): readonly FlowStep[] {
  const path: FlowStep[] = []
  for (let step: FlowStep | null = last; step !== null; step = step.from) path.push(step)
  return path.reverse()
}
