import type { FlowPlaceKind } from "../../policies/policy.js"

/**
 * The kind of place that data is in: a source, a sink, or a place between them. `tool`: a tool that
 * an undeclared toolset may contain.
 */
export type DataPlaceKind =
  | FlowPlaceKind
  | "conversation"
  | "history"
  | "template"
  | "function"
  | "tool"

/**
 * One step of a data path: the place that the data has reached, and the previous step. In the data
 * flow analysis, a variable of this type contains data from a source, or null if there is none.
 */
export interface FlowStep {
  readonly kind: DataPlaceKind
  /** Name of the tool, agent, key, function or server. For `history`: `session` or `run`. */
  readonly name: string
  readonly agent: string | null
  /**
   * The undeclared function, toolset or machine that this step assumes to pass on its data. null:
   * the step assumes nothing.
   */
  readonly assumes: Undeclared | null
  readonly from: FlowStep | null
}

/**
 * A function or toolset that the policy file does not declare, or a MachineAgent, whose machine can
 * run its agents in any order.
 */
export interface Undeclared {
  readonly of: "function" | "toolset" | "machine"
  readonly name: string
}

/**
 * The data from sources that exists between two steps of a run: in state keys, in the history and
 * in the prompt.
 */
export interface FlowState {
  readonly keys: ReadonlyMap<string, FlowStep>
  /** Data in the history of the session (adk only). null: none. */
  readonly history: FlowStep | null
  /** Data in the prompt of the user. null: none. */
  readonly prompt: FlowStep | null
}

export const flowStep = (
  kind: DataPlaceKind,
  name: string,
  agent: string | null,
  from: FlowStep | null,
  assumes: Undeclared | null = null,
): FlowStep => ({ kind, name, agent, assumes, from })

/** Returns a description of where the data is, such as `the text of reader`. */
export function placeText({ kind, name }: Pick<FlowStep, "kind" | "name">): string {
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

/** Returns the first step that is not null, or null if there is none. */
export const firstOf = (...steps: readonly (FlowStep | null | undefined)[]): FlowStep | null =>
  steps.find((step) => step != null) ?? null

/** Returns the data from sources in any state key, or null if no key contains such data. */
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

/** Overwrites a key. Its earlier data is replaced by `step`, or removed if `step` is null. */
export function replaceKey(state: FlowState, key: string, step: FlowStep | null): FlowState {
  const keys = new Map(state.keys)
  keys.delete(key)
  return withKey({ ...state, keys }, key, step)
}

export const withHistory = (state: FlowState, step: FlowStep | null): FlowState =>
  step === null || state.history !== null
    ? state
    : { ...state, history: flowStep("history", "run", null, step) }

/** Returns a state that contains the data from sources of both states. */
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
 * Returns whether two states contain data from sources in the same places: state keys, history and
 * prompt.
 */
export const samePlaces = (one: FlowState, other: FlowState): boolean =>
  one.keys.size === other.keys.size &&
  [...one.keys.keys()].every((key) => other.keys.has(key)) &&
  (one.history === null) === (other.history === null) &&
  (one.prompt === null) === (other.prompt === null)

/** Returns the steps of the data path that ends with `last`, beginning with the source. */
export function pathOf(last: FlowStep): readonly FlowStep[] {
  const path: FlowStep[] = []
  for (let step: FlowStep | null = last; step !== null; step = step.from) path.push(step)
  return path.reverse()
}
