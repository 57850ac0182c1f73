import type { ChartMachine, ChartState, Transitions } from "./chart-machine.js"

/**
 * The transitions of one state that have the same trigger, in order. The first transition whose
 * guard is true is taken.
 */
export interface TransitionList {
  /**
   * Path of the source state: its state keys, joined by dots. `""` stands for the machine itself.
   */
  readonly from: string
  /**
   * The trigger of the transitions. `invoked`: the actor that the state invokes has ended.
   * `always`: no event is needed, as with XState's `always`. `inside`: the inner states have
   * reached their final state. `event`: an event was received.
   */
  readonly cause: "invoked" | "always" | "inside" | "event"
  /** Type of the event if `cause` is `event`; otherwise null. */
  readonly event: string | null
  readonly transitions: Transitions
}

/**
 * Returns all transitions of a machine, grouped by state and trigger. Each state comes before its
 * inner states.
 */
export function transitionLists(machine: ChartMachine): readonly TransitionList[] {
  const lists: TransitionList[] = []
  const add = (
    from: string,
    cause: TransitionList["cause"],
    transitions: Transitions | undefined,
    event: string | null = null,
  ): void => {
    if (transitions !== undefined) lists.push({ from, cause, event, transitions })
  }
  const addEvents = (from: string, on: ChartState["on"]): void => {
    for (const [event, transitions] of Object.entries(on ?? {}))
      add(from, "event", transitions, event)
  }
  const visit = (state: ChartState, path: string): void => {
    add(path, "invoked", state.invoke?.onDone)
    add(path, "always", state.always)
    add(path, "inside", state.onDone)
    addEvents(path, state.on)
    for (const [key, inner] of Object.entries(state.states ?? {})) visit(inner, `${path}.${key}`)
  }
  addEvents("", machine.on)
  for (const [key, state] of Object.entries(machine.states)) visit(state, key)
  return lists
}

/** Returns the path of a transition's target state, or null if the transition has no target. */
export const targetPath = (machine: ChartMachine, { target }: Transitions[number]): string | null =>
  target === undefined ? null : target.slice(`#${machine.id}.`.length)
