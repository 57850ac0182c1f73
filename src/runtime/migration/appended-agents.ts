import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"

type States = Readonly<Record<string, ChartState>>

/**
 * The outermost sequence of agents of a chart, if it runs only once. It is the state `key` of the
 * root machine. `states` contains its child states, one for each agent.
 */
interface RootSequence {
  readonly machine: ChartMachine
  readonly key: string
  readonly states: States
}

/**
 * Returns a copy of the edited chart `after` without new agents at the end of its root sequence.
 * Returns `after` unchanged if there are none. These agents do not change how the stored records of
 * an open run are processed, because an open run has not reached the end of the sequence.
 */
export function withoutAppendedAgents(before: AgentChart, after: AgentChart): AgentChart {
  const [old, now] = [rootSequence(before), rootSequence(after)]
  if (old === null || now === null || before.root !== after.root || old.key !== now.key)
    return after
  const end = `#${now.machine.id}.${now.key}.done`
  const appended = new Set(
    Object.keys(now.states)
      .filter((key) => !Object.hasOwn(old.states, key))
      .map((key) => `#${now.machine.id}.${now.key}.${key}`),
  )
  if (appended.size === 0) return after
  const changed = (transition: ChartTransition): ChartTransition => {
    if (transition.target === undefined || !appended.has(transition.target)) return transition
    const { actions = [], ...rest } = transition
    const kept = actions.filter(({ type }) => type !== "checkpoint")
    return { ...rest, target: end, ...(kept.length > 0 && { actions: kept }) }
  }
  const states = Object.fromEntries(
    Object.entries(now.states).flatMap(([key, state]) =>
      Object.hasOwn(old.states, key) ? [[key, withTransitions(state, changed)] as const] : [],
    ),
  )
  const sequence = { ...now.machine.states[now.key], states }
  const machine = { ...now.machine, states: { ...now.machine.states, [now.key]: sequence } }
  return {
    ...after,
    machines: { ...known(after.machines, before.machines), [after.root]: machine },
    agents: known(after.agents, before.agents),
    tools: known(after.tools, before.tools),
  }
}

/**
 * Returns the outermost sequence of agents of a chart. Returns null if the root agent is not a
 * sequence, or if the sequence can run more than once.
 */
function rootSequence({ machines, root }: AgentChart): RootSequence | null {
  const machine = Object.hasOwn(machines, root) ? machines[root] : undefined
  const start = machine?.states["boot"]?.always?.[0]?.target
  if (machine === undefined || start === undefined) return null
  const key = start.slice(machine.id.length + 2)
  const state = Object.hasOwn(machine.states, key) ? machine.states[key] : undefined
  const endsRun =
    state?.onDone?.every(({ target }) => target === `#${machine.id}.done`) === true &&
    machine.states["done"]?.type === "final"
  if (state?.states === undefined || !endsRun || state.tags?.includes("sequence") !== true)
    return null
  return { machine, key, states: state.states }
}

/** Returns a copy of a state. Each outgoing transition is replaced by the result of `change`. */
function withTransitions(
  state: ChartState,
  change: (transition: ChartTransition) => ChartTransition,
): ChartState {
  const { always, invoke, onDone } = state
  return {
    ...state,
    ...(always !== undefined && { always: always.map(change) }),
    ...(onDone !== undefined && { onDone: onDone.map(change) }),
    ...(invoke !== undefined && { invoke: { ...invoke, onDone: invoke.onDone.map(change) } }),
  }
}

/**
 * Returns the entries of `after` whose keys also exist in `before`. Omits the entries that the new
 * chart has added.
 */
const known = <Value>(
  after: Readonly<Record<string, Value>>,
  before: object,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(after).filter(([key]) => Object.hasOwn(before, key)))
