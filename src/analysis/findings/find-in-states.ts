import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartFacts, MachineFacts } from "../plan/chart-facts.js"
import type { Finding } from "./finding.js"
import type { StateNode } from "../graph/state-graph.js"

/**
 * Returns a finding for each state that no run can enter, and for each state that no run can leave.
 */
export function findInStates(chart: AgentChart, facts: ChartFacts): readonly Finding[] {
  return [...facts].flatMap(([machine, known]) => [
    ...neverEntered(machine, known),
    ...neverLeft(machine, known, chart),
  ])
}

/**
 * Returns the id of the agent to which a state belongs. Checks the state first, then its enclosing
 * states from the inside to the outside. A parallel region belongs to the agent of its branch.
 */
export function agentAt(path: string, { graph }: Pick<MachineFacts, "graph">): string {
  for (let node = graph.states.get(path) ?? null; node !== null; node = node.parent) {
    const { path: scope, state, parent } = node
    const agent =
      state.meta?.agent ??
      parent?.state.meta?.branches?.find((branch) => branch.scope === scope)?.agent
    if (agent !== undefined) return agent
  }
  return graph.machine.meta.agent
}

function neverEntered(machine: string, known: MachineFacts): readonly Finding[] {
  return known.unreachable.map((path) => ({
    code: "unreachable_state",
    severity: "warning",
    agent: agentAt(path, known),
    state: `${machine}.${path}`,
    message: `The state ${JSON.stringify(path)} is never entered, because no possible transition leads to this state.`,
    fix:
      known.graph.states.get(path)?.state.meta === undefined
        ? "Add a transition that leads to the state, or remove the state."
        : "Change the condition that always skips it, or remove the agent.",
  }))
}

function neverLeft(
  machine: string,
  known: MachineFacts,
  { agents }: AgentChart,
): readonly Finding[] {
  const dead = known.deadEnds.map((path): Finding => ({
    code: "dead_end",
    severity: "error",
    agent: agentAt(path, known),
    state: `${machine}.${path}`,
    message: `A run that enters the state ${JSON.stringify(path)} never ends, because no final state can be reached from this state.`,
    fix: "Add a transition for every possible result of the state. If the chart was edited, compile the config again, because the compiler adds these transitions.",
  }))
  const isDead = (node: StateNode | undefined): boolean =>
    node !== undefined &&
    known.deadEnds.some((path) => node.path === path || node.path.startsWith(`${path}.`))
  const stuck = new Set(
    known.graph.stuck.filter(
      (path) => known.reached.has(path) && !isDead(known.graph.states.get(path)),
    ),
  )
  const waiting = [...known.graph.states.values()].filter(
    (node) => waitsForNothing(node) && known.reached.has(node.path) && !isDead(node),
  )
  for (const { path } of waiting) stuck.add(path)
  return [
    ...dead,
    ...[...stuck].map((path): Finding => {
      const agent = agentAt(path, known)
      const what = Object.hasOwn(agents, agent)
        ? `a turn of ${JSON.stringify(agent)}`
        : "the work of the state"
      return {
        code: "dead_end",
        severity: "error",
        agent,
        state: `${machine}.${path}`,
        message: `A run can get stuck in the state ${JSON.stringify(path)}: ${what} may end with a result for which the state has no transition.`,
        fix: "In each list of transitions of this state, remove the guard of the last transition, so that one of the transitions is always taken.",
      }
    }),
  ]
}

/**
 * Returns whether a machine can never leave a state. Such a state is not final, invokes no actor,
 * and has no child states and no transitions.
 */
const waitsForNothing = ({ state, children }: StateNode): boolean =>
  state.type === undefined &&
  children.length === 0 &&
  state.invoke === undefined &&
  state.always === undefined &&
  Object.keys(state.on ?? {}).length === 0
