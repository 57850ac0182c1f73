import type { AgentChart } from "../contract/agent-chart.js"
import type { ChartState } from "../contract/chart-machine.js"
import type { Message } from "../contract/services.js"

/** The progress of a team, which is an LlmAgent and the sub-agents to which it can hand off. */
export interface Team {
  /**
   * State path of the agent in the team that receives the next message. null for the parent agent
   * of the team.
   */
  readonly active: string | null
  /** Number of handoffs in the current cycle, which is one pass of the root agent. */
  readonly handoffs: number
  /**
   * Messages with the role `user` from the conversation of the agent that made the last handoff.
   * The conversation of the next agent starts with these messages. null before the first handoff.
   */
  readonly prompt: readonly Message[] | null
}

export const noTeam: Team = { active: null, handoffs: 0, prompt: null }

/**
 * Returns the teams at the start of a run, by state path. A team consists of agents that can hand
 * off to each other. If `activeAgent` is a member of the root agent's team, it receives the next
 * message.
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
 * Returns the id of the agent in the root agent's team that receives the next message. Returns null
 * if this is the root agent, or if there is no team.
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
 * Returns the state of the root agent's team, or null if there is none. Always returns null in the
 * graph-compose dialect. There, every run starts with the root agent and not with another member of
 * its team.
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
