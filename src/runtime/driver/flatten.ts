import { mapValues } from "../../machines/data/map-values.js"
import type { ChartState, NamedAction, Transitions } from "../../machines/contract/chart-machine.js"
import type { MachineConfig } from "../../machines/registry/machine-definition.js"

/**
 * Name of the action that starts a child. It replaces `invoke` in a machine config that `flatten`
 * returns.
 */
export const startAction = "@start"
export const stopAction = "@stop"

/** A state without `invoke`. `flatten` replaces `invoke` with actions and a transition. */
interface FlatState extends Omit<ChartState, "invoke" | "states"> {
  readonly on?: Readonly<Record<string, Transitions>>
  readonly states?: Readonly<Record<string, FlatState>>
}

type WithEvents = ChartState & { readonly on?: Readonly<Record<string, Transitions>> }

/**
 * Returns a copy of a machine config without `invoke`, so that XState does not start children
 * itself. For each `invoke`, the copy has an entry action that starts the child and an exit action
 * that stops it. It also has a transition for the done event of the child. The machine behaves as
 * with `invoke`.
 */
export function flatten(
  config: MachineConfig,
): Omit<MachineConfig, "states"> & { readonly states: Readonly<Record<string, FlatState>> } {
  return { ...config, states: mapValues(config.states, flattenState) }
}

function flattenState({
  invoke,
  states,
  entry = [],
  exit = [],
  on,
  ...rest
}: WithEvents): FlatState {
  const inner = states === undefined ? {} : { states: mapValues(states, flattenState) }
  if (invoke === undefined)
    return { ...rest, entry, exit, ...(on !== undefined && { on }), ...inner }
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
