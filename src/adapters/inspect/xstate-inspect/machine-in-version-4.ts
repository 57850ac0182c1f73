import { mapValues } from "../../../machines/data/map-values.js"

/**
 * The config of an XState 5 machine, which `machineInVersion4` converts to XState 4. The config
 * comes from a chart or from a running actor. In the config of an actor, inputs and outputs are
 * functions.
 */
export interface InspectedMachineConfig {
  readonly id?: string
  readonly initial?: string
  readonly type?: string
  readonly meta?: unknown
  readonly tags?: unknown
  readonly entry?: readonly Named[]
  readonly exit?: readonly Named[]
  readonly invoke?: {
    readonly id: string
    readonly src: string
    readonly onDone?: readonly Transition[]
  }
  /** Transitions by event type. The value is a list of transitions or a single transition. */
  readonly on?: Readonly<Record<string, Transition | readonly Transition[]>>
  readonly always?: readonly Transition[]
  readonly onDone?: readonly Transition[]
  readonly states?: Readonly<Record<string, InspectedMachineConfig>>
}

interface Named {
  readonly type: string
  readonly params?: object
}

/** An XState action. It is the name of the action, or an object with the name and parameters. */
type Action = string | Named

interface Transition {
  readonly target?: string
  readonly guard?: Named
  readonly actions?: Action | readonly Action[]
  readonly reenter?: boolean
}

export const isMachineConfig = (config: unknown): config is InspectedMachineConfig =>
  typeof config === "object" && config !== null && "states" in config

/**
 * Converts a machine config from XState 5 to XState 4. Guards become `cond`, and parameters become
 * fields next to `type`. Transitions without `reenter` are marked as `internal`, because XState 4
 * would otherwise leave and reenter their source state.
 */
export function machineInVersion4(config: InspectedMachineConfig): object {
  return { ...stateInVersion4(config), id: config.id, predictableActionArguments: true }
}

function stateInVersion4({
  initial,
  type,
  meta,
  tags,
  entry,
  exit,
  invoke,
  on,
  always,
  onDone,
  states,
}: InspectedMachineConfig): object {
  return present({
    initial,
    type,
    meta,
    tags,
    entry: entry?.map(named),
    exit: exit?.map(named),
    invoke: invoke && [
      present({ id: invoke.id, src: invoke.src, onDone: invoke.onDone?.map(transition) }),
    ],
    on: on && mapValues(on, (list) => [list].flat().map(transition)),
    always: always?.map(transition),
    onDone: onDone?.map(transition),
    states: states && mapValues(states, stateInVersion4),
  })
}

const transition = ({ target, guard, actions, reenter }: Transition): object =>
  present({
    target,
    cond: guard && named(guard),
    actions: actions && [actions].flat().map(actionInVersion4),
    internal: reenter !== true,
  })

const actionInVersion4 = (action: Action): object =>
  typeof action === "string" ? { type: action } : named(action)

const named = ({ type, params }: Named): object => ({ ...params, type })

const present = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
