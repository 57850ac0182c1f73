import type { ChartMachine, ChartState, Transitions } from "./chart-machine.js"

/** Transitions of one state that are looked at together, in order: the first whose guard holds is taken. */
export interface TransitionList {
  /** State keys from the machine's root, joined by dots; `""` is the machine itself. */
  readonly from: string
  /** What they answer: the end of what the state invokes, the state having been entered, its inner states' end, or an event. */
  readonly cause: "invoked" | "always" | "inside" | "event"
  /** Only of the cause `event`. */
  readonly event: string | null
  readonly transitions: Transitions
}

/** All transitions of a machine, each state before those inside of it. */
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

/** The state keys of the state that a transition leads to; null where it leads nowhere. */
export const targetPath = (machine: ChartMachine, { target }: Transitions[number]): string | null =>
  target === undefined ? null : target.slice(`#${machine.id}.`.length)
