import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { ChartState } from "../contract/chart-machine.js"
import type { Artifacts } from "../contract/artifacts.js"
import type { History } from "../contract/history.js"
import { deepestData, isDeeperThan } from "../data/nesting.js"
import type { OrchestrationContext, Team } from "./orchestration-context.js"
import { isHiddenKey } from "../data/session-state.js"

/** The content of a session between two runs (docs/semantics.md#sessions). */
export interface SessionContents {
  /** Includes `user:` and `app:` keys. */
  readonly state: Readonly<Record<string, unknown>>
  /** Empty in graph-compose, where each agent has its own conversation. */
  readonly history: History
  readonly artifacts: Artifacts
  /** Active member of the team of the root agent; null if the root itself is active. */
  readonly activeAgent: string | null
}

/** Maximum number of state keys. Up to this number, merging and displaying the state stays fast. */
const mostStateKeys = 50_000

/**
 * Checks the initial state of a run.
 *
 * @throws AgentStatechartsError `input_refused` for too many keys, reserved keys and values that
 * are nested too deep
 */
export function checkGivenState(state: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(state)
  if (keys.length > mostStateKeys)
    throw new AgentStatechartsError(
      "input_refused",
      `the state has ${keys.length} keys; the limit is ${mostStateKeys}. Store a list or an object under one key`,
    )
  const key = keys.find(isHiddenKey)
  if (key !== undefined)
    throw new AgentStatechartsError(
      "input_refused",
      `the state key ${JSON.stringify(key)} starts with U+0000, which is reserved for the system. Choose another key`,
    )
  if (isDeeperThan(deepestData, state))
    throw new AgentStatechartsError(
      "input_refused",
      `the state is nested deeper than ${deepestData} levels, or contains itself`,
    )
}

/**
 * Returns the initial teams of a run. The active member of the session stays active if the chart
 * still contains it.
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

export function activeAgentOf({ teams }: OrchestrationContext, chart: AgentChart): string | null {
  const root = rootTeam(chart)
  const active = root === null ? null : teams[root.meta.place]?.active
  return root === null || active == null
    ? null
    : (members(root).find(({ place }) => place === active)?.agent ?? null)
}

type TeamState = ChartState & { readonly meta: NonNullable<ChartState["meta"]> }

/**
 * Returns the team at the root, or null. In graph-compose, every run starts with the root agent,
 * so the result is null.
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
