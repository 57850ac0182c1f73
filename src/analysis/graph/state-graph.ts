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
 * A state of a machine. Its path consists of the state keys from the root of the machine, joined by
 * dots.
 */
export interface StateNode {
  readonly path: string
  readonly state: ChartState
  readonly parent: StateNode | null
  readonly children: readonly StateNode[]
}

/** A transition that a run can take. A transition that can never be taken has no edge. */
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
   * Outgoing transitions by state path. Transitions that cancel a run from outside are not
   * included.
   */
  readonly edges: ReadonlyMap<string, readonly StateEdge[]>
  /**
   * Paths of states in which all guards may be false at the same time, so that the machine would
   * never continue.
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
 * Returns the transitions of a list that can be taken. Stops after the first transition that is
 * always taken. `endsSurely`: whether there is such a transition.
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
 * Returns the result of a guard if it is the same in every run. Returns null if it depends on the
 * run.
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
 * Returns the result of a condition that reads no state. Returns null if the condition reads state.
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
