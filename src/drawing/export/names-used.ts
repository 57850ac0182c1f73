import type {
  ChartMachine,
  ChartState,
  NamedAction,
  Transitions,
} from "../../machines/contract/chart-machine.js"

/**
 * Names of the guards, actions and actors that an XState machine config uses, sorted and without
 * duplicates.
 */
export interface NamesUsed {
  readonly guards: readonly string[]
  readonly actions: readonly string[]
  readonly actors: readonly string[]
}

export function namesUsed(machine: ChartMachine): NamesUsed {
  const guards = new Set<string>()
  const actions = new Set<string>()
  const actors = new Set<string>()
  const perform = (list: readonly NamedAction[] | undefined): void =>
    list?.forEach(({ type }) => actions.add(type))
  const follow = (transitions: Transitions | undefined): void =>
    transitions?.forEach((transition) => {
      if (transition.guard !== undefined) guards.add(transition.guard.type)
      perform(transition.actions)
    })
  const visit = ({
    entry,
    exit,
    invoke,
    on,
    always,
    onDone,
    states,
  }: Partial<ChartState>): void => {
    perform(entry)
    perform(exit)
    if (invoke !== undefined) {
      actors.add(invoke.src)
      follow(invoke.onDone)
    }
    for (const transitions of [...Object.values(on ?? {}), always, onDone]) follow(transitions)
    for (const state of Object.values(states ?? {})) visit(state)
  }
  visit({ ...(machine.on !== undefined && { on: machine.on }), states: machine.states })
  return { guards: [...guards].sort(), actions: [...actions].sort(), actors: [...actors].sort() }
}
