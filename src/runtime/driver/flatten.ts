import type { ChartState, NamedAction, Transitions } from "../../machines/contract/chart-machine.js"
import type { MachineConfig } from "../../machines/registry/machine-registry.js"

/** Actions of the twin that stand for an `invoke`. */
export const startAction = "@start"
export const stopAction = "@stop"

/** A state as XState takes it: actions and guards by name, no invokes. */
interface FlatState extends Omit<ChartState, "invoke" | "states"> {
  readonly on?: Readonly<Record<string, Transitions>>
  readonly states?: Readonly<Record<string, FlatState>>
}

type WithEvents = ChartState & { readonly on?: Readonly<Record<string, Transitions>> }

/**
 * The chart's twin without invokes: each becomes an entry action that starts the child, an exit
 * action that stops it, and transitions on its done event. That is what XState does inside, minus
 * the Actor; both mean the same, which is a test.
 */
export function flatten(
  config: MachineConfig,
): Omit<MachineConfig, "states"> & { readonly states: Readonly<Record<string, FlatState>> } {
  return { ...config, states: mapStates(config.states) }
}

const mapStates = (
  states: Readonly<Record<string, ChartState>>,
): Readonly<Record<string, FlatState>> =>
  Object.fromEntries(Object.entries(states).map(([key, state]) => [key, flattenState(state)]))

function flattenState({
  invoke,
  states,
  entry = [],
  exit = [],
  on,
  ...rest
}: WithEvents): FlatState {
  const inner = states === undefined ? {} : { states: mapStates(states) }
  if (invoke === undefined)
    return { ...rest, entry, exit, ...(on === undefined ? {} : { on }), ...inner }
  const { id, src, input, onDone } = invoke
  const start: NamedAction = { type: startAction, params: { id, src, input } }
  const stop: NamedAction = { type: stopAction, params: { id } }
  return {
    ...rest,
    entry: [...entry, start],
    exit: [...exit, stop],
    on: { ...on, [`xstate.done.actor.${id}`]: onDone },
    ...inner,
  }
}
