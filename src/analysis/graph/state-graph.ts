import { ConditionFailed } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import { readCondition } from "../conditions/read-condition.js"

/**
 * A state in a machine of a chart. `path` consists of the state keys from the root of the machine,
 * joined by dots, for example `pipeline.writer`.
 */
export interface StateNode {
  readonly path: string
  readonly state: ChartState
  readonly parent: StateNode | null
  readonly children: readonly StateNode[]
}

/**
 * A transition from one state to another that a run can take. Transitions whose guard is always
 * false have no `StateEdge`.
 */
export interface StateEdge {
  readonly from: string
  readonly to: string
  readonly transition: ChartTransition
  readonly list: TransitionList
}

/** A machine of a chart as a graph of states and transitions. */
export interface StateGraph {
  readonly key: string
  readonly machine: ChartMachine
  readonly states: ReadonlyMap<string, StateNode>
  /**
   * Outgoing transitions by the path of their source state. Transitions of the whole machine are
   * not included. They react to events from outside and end the run.
   */
  readonly edges: ReadonlyMap<string, readonly StateEdge[]>
  /**
   * Paths of states in which all guards may be false at the same time. In such a state, the machine
   * stops and never continues.
   */
  readonly stuck: readonly string[]
}

export function stateGraph(key: string, machine: ChartMachine, chart: AgentChart): StateGraph {
  const states = new Map<string, StateNode>()
  const add = (path: string, state: ChartState, parent: StateNode | null): StateNode => {
    const children: StateNode[] = []
    const node: StateNode = { path, state, parent, children }
    states.set(path, node)
    for (const [inner, child] of Object.entries(state.states ?? {}))
      children.push(add(`${path}.${inner}`, child, node))
    return node
  }
  for (const [path, state] of Object.entries(machine.states)) add(path, state, null)
  const edges = new Map<string, StateEdge[]>()
  const stuck: string[] = []
  for (const list of transitionLists(machine)) {
    if (list.from === "") continue
    const takable = possibleTransitions(list, states.get(list.from), chart)
    if (list.cause !== "event" && !takable.endsSurely) stuck.push(list.from)
    const own = edges.get(list.from) ?? []
    for (const transition of takable.transitions) {
      const to = targetPath(machine, transition)
      if (to !== null && states.has(to)) own.push({ from: list.from, to, transition, list })
    }
    edges.set(list.from, own)
  }
  return { key, machine, states, edges, stuck }
}

/**
 * Returns the transitions of a list whose guards can be true, up to and including the first
 * transition that is always taken. `endsSurely` is true if the list contains such a transition.
 */
function possibleTransitions(
  list: TransitionList,
  node: StateNode | undefined,
  chart: AgentChart,
): { readonly transitions: readonly ChartTransition[]; readonly endsSurely: boolean } {
  const transitions: ChartTransition[] = []
  for (const transition of list.transitions) {
    const answer = constantGuardResult(transition, node, chart)
    if (answer !== false) transitions.push(transition)
    if (answer === true) return { transitions, endsSurely: true }
  }
  return { transitions, endsSurely: false }
}

/**
 * Returns the result of a guard if it can be determined without a run, because it is the same in
 * every run. Otherwise returns null.
 */
function constantGuardResult(
  { guard }: ChartTransition,
  node: StateNode | undefined,
  { agents }: AgentChart,
): boolean | null {
  if (guard === undefined) return true
  const { type, params = {} } = guard
  if (
    (type === "conditionHolds" || type === "exitConditionHolds") &&
    typeof params["condition"] === "string"
  )
    return constantCondition(params["condition"])
  const agent = node?.state.meta?.agent
  const definition = agent !== undefined && Object.hasOwn(agents, agent) ? agents[agent] : undefined
  const isTransfer =
    type === "handsOffTo" && definition?.type === "LlmAgent" && node?.state.invoke !== undefined
  return isTransfer && !definition.transferTargets.includes(String(params["agent"])) ? false : null
}

/**
 * Evaluates a condition that does not read the session state, such as `1 > 2`. Returns null if the
 * condition is invalid or reads the session state. A condition that fails counts as false.
 */
function constantCondition(source: string): boolean | null {
  const condition = readCondition(source)
  if (condition === null || !condition.constant) return null
  try {
    return condition.evaluate({}).truthy
  } catch (cause) {
    if (cause instanceof ConditionFailed) return false
    throw cause
  }
}
