import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartFacts, MachineFacts } from "../plan/chart-facts.js"
import type { Finding } from "./finding.js"
import type { StateNode } from "../graph/state-graph.js"

/** States that are never entered, and states that cannot be left. */
export function findInStates(chart: AgentChart, facts: ChartFacts): readonly Finding[] {
  return [...facts].flatMap(([machine, known]) => [
    ...neverEntered(machine, known),
    ...neverLeft(machine, known, chart),
  ])
}

/** The agent of a state or of the nearest state around it; a region is that of its branch. */
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
    message: `the state ${JSON.stringify(path)} is never entered: no transition that can be taken leads to it`,
    fix:
      known.graph.states.get(path)?.state.meta === undefined
        ? "Give it a transition, or remove it."
        : "Change the condition that keeps it out, or remove it: it never runs.",
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
    message: `from the state ${JSON.stringify(path)} no end of the machine can be reached: a run that enters it never ends`,
    fix: "Give it a transition for every way in which what it runs may end; the compiler does, so compile the config again if the chart was edited.",
  }))
  const isDead = (node: StateNode | undefined): boolean =>
    node !== undefined &&
    known.deadEnds.some((path) => node.path === path || node.path.startsWith(`${path}.`))
  const stuck = new Set(
    known.graph.stuck.filter(
      (path) => known.reached.has(path) && !isDead(known.graph.states.get(path)),
    ),
  )
  const standing = [...known.graph.states.values()].filter(
    (node) => waitsForNothing(node) && known.reached.has(node.path) && !isDead(node),
  )
  for (const { path } of standing) stuck.add(path)
  return [
    ...dead,
    ...[...stuck].map((path): Finding => {
      const agent = agentAt(path, known)
      const what = Object.hasOwn(agents, agent)
        ? `a turn of ${JSON.stringify(agent)}`
        : "what happens there"
      return {
        code: "dead_end",
        severity: "error",
        agent,
        state: `${machine}.${path}`,
        message: `the state ${JSON.stringify(path)} is not left in every case: ${what} may come to something that none of its transitions takes`,
        fix: "Let the last transition of each list have no guard.",
      }
    }),
  ]
}

/** An inner state that neither does anything nor waits for anything, and yet is no end. */
const waitsForNothing = ({ state, children }: StateNode): boolean =>
  state.type === undefined &&
  children.length === 0 &&
  state.invoke === undefined &&
  state.always === undefined &&
  Object.keys(state.on ?? {}).length === 0
