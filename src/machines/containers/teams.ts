import type { AgentChart } from "../contract/agent-chart.js"
import type { ChartState } from "../contract/chart-machine.js"
import type { Message } from "../contract/services.js"

/** The progress of a handoff team. */
export interface Team {
  /** State path of the member that receives the next message; null for the parent agent. */
  readonly active: string | null
  /** Number of handoffs in the current cycle. */
  readonly handoffs: number
  /** The user messages of the agent that made the last handoff. null before the first handoff. */
  readonly prompt: readonly Message[] | null
}

export const noTeam: Team = { active: null, handoffs: 0, prompt: null }

/**
 * Returns the handoff teams at the start of a run. If the session's active agent is a member of the
 * root agent's team, that agent is active again.
 */
export function teamsFor(
  activeAgent: string | null,
  chart: AgentChart,
): Readonly<Record<string, Team>> {
  const root = activeAgent === null ? null : rootTeam(chart)
  if (root === null) return {}
  const active = members(root).find(({ agent }) => agent === activeAgent)?.place
  return active === undefined ? {} : { [root.meta.place]: { active, handoffs: 0, prompt: null } }
}

/**
 * Returns the id of the active member of the root agent's team. Returns null if the root agent is
 * active or has no team.
 */
export function activeAgentOf(
  { teams }: { readonly teams: Readonly<Record<string, Team>> },
  chart: AgentChart,
): string | null {
  const root = rootTeam(chart)
  const active = root === null ? null : teams[root.meta.place]?.active
  return root === null || active == null
    ? null
    : (members(root).find(({ place }) => place === active)?.agent ?? null)
}

type TeamState = ChartState & { readonly meta: NonNullable<ChartState["meta"]> }

/**
 * Returns the state of the root agent's team, or null if it has none. Always null in graph-compose,
 * where every run starts with the root agent.
 */
function rootTeam({ dialect, machines, root }: AgentChart): TeamState | null {
  if (dialect !== "adk") return null
  const states = Object.values(machines[root]?.states ?? {})
  return states.find((state): state is TeamState => state.meta?.team === true) ?? null
}

const members = ({
  states = {},
}: ChartState): readonly { readonly agent: string; readonly place: string }[] =>
  Object.values(states).flatMap(({ meta }) => (meta === undefined ? [] : [meta]))
