import type { ChartMachine, ChartState, Transitions } from "./chart-machine.js"

/**
 * The transitions of one state that have the same trigger, in order. The first transition with a
 * true guard is taken.
 */
export interface TransitionList {
  /** Path of the source state: state keys joined by dots. `""` means the machine itself. */
  readonly from: string
  /**
   * The trigger of the transitions. `invoked`: the invoked actor has ended. `always`: no event is
   * needed, as with XState's `always`. `inside`: the inner states have reached a final state.
   * `event`: the event `event` was received.
   */
  readonly cause: "invoked" | "always" | "inside" | "event"
  /** Type of the event that triggers the transitions. null if `cause` is not `event`. */
  readonly event: string | null
  readonly transitions: Transitions
}

/**
 * Returns all transitions of a machine, grouped by source state and trigger. Each state comes
 * before its inner states.
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

/**
 * Returns the path of a transition's target state, such as `rounds.writer`. Returns null if the
 * transition has no target.
 */
export const targetPath = (machine: ChartMachine, { target }: Transitions[number]): string | null =>
  target === undefined ? null : target.slice(`#${machine.id}.`.length)
