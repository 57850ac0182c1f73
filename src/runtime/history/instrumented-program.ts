import { mapValues } from "../../machines/data/map-values.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { Update } from "../../machines/contract/machine-kind.js"
import type { MachineProgram, ChartProgram } from "../program/program.js"
import type { FoundTransition } from "./chart-parts.js"
import { statesOf, transitionsOf } from "./chart-parts.js"

/**
 * Callbacks that receive each state that a run enters, and each transition that it takes.
 * `transition` is the index of the transition in the array that `transitionsOf` returns.
 */
export interface CoverageMarks {
  entered(machine: string, state: string): void
  took(machine: string, transition: number): void
}

/**
 * A machine of a chart with its key. For a machine in a graph node, the key starts with the path of
 * the node's workflow.
 */
export interface KeyedMachine {
  readonly key: string
  readonly machine: ChartMachine
  /**
   * The chart that contains the machine. For a machine in a graph node, this is the chart of the
   * workflow in the node.
   */
  readonly chart: AgentChart
}

/** Returns the machines of a chart, including the machines of the workflows in its graph nodes. */
export const allMachines = (chart: AgentChart, scope = ""): readonly KeyedMachine[] => [
  ...Object.entries(chart.machines).map(([key, machine]) => ({ key: scope + key, machine, chart })),
  ...Object.entries(chart.charts ?? {}).flatMap(([key, inner]) =>
    allMachines(inner, `${scope}${key}/`),
  ),
]

const enteredAction = "@entered"
const tookAction = "@took"

/**
 * Returns a copy of an executable chart in which each state and transition has an extra action that
 * calls `marks`. XState executes these actions, so they report exactly the transitions that a run
 * takes.
 */
export function markedProgram(program: ChartProgram, marks: CoverageMarks): ChartProgram {
  const machines = new Map(program.machines)
  for (const { key, machine } of allMachines(program.chart)) {
    const known = machines.get(key)
    if (known !== undefined) machines.set(key, markedMachine(known, machine, marks))
  }
  return { ...program, machines }
}

function markedMachine(
  known: MachineProgram,
  machine: ChartMachine,
  marks: CoverageMarks,
): MachineProgram {
  const { key, kind } = known
  const entered: Update<object> = (_context, _event, { state }: { readonly state: string }) =>
    marks.entered(key, state)
  const took: Update<object> = (
    _context,
    _event,
    { transition }: { readonly transition: number },
  ) => marks.took(key, transition)
  const updates = { ...kind.updates, [enteredAction]: entered, [tookAction]: took }
  return {
    ...known,
    config: markedConfig(machine, transitionsOf(known.lookup.chart, key, machine)),
    kind: { ...kind, updates },
  }
}

function markedConfig(machine: ChartMachine, found: readonly FoundTransition[]): ChartMachine {
  const numbers = new Map(found.map(({ transition }, index) => [transition, index]))
  const paths = new Map([...statesOf(machine)].map(([path, state]) => [state, path]))
  const marked = (transition: ChartTransition): ChartTransition => ({
    ...transition,
    actions: [
      ...(transition.actions ?? []),
      { type: tookAction, params: { transition: numbers.get(transition) ?? -1 } },
    ],
  })
  const all = (transitions: Transitions): Transitions => transitions.map(marked)
  const events = (on: ChartState["on"]): { readonly on?: NonNullable<ChartState["on"]> } =>
    on === undefined ? {} : { on: mapValues(on, all) }
  const stateOf = (state: ChartState): ChartState => ({
    ...state,
    entry: [
      { type: enteredAction, params: { state: paths.get(state) ?? "" } },
      ...(state.entry ?? []),
    ],
    ...events(state.on),
    ...(state.invoke !== undefined && {
      invoke: { ...state.invoke, onDone: all(state.invoke.onDone) },
    }),
    ...(state.always !== undefined && { always: all(state.always) }),
    ...(state.onDone !== undefined && { onDone: all(state.onDone) }),
    ...(state.states !== undefined && { states: mapValues(state.states, stateOf) }),
  })
  return { ...machine, ...events(machine.on), states: mapValues(machine.states, stateOf) }
}
