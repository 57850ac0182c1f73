import { systemKey } from "../data/system-keys.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { Artifacts } from "../contract/artifacts.js"
import { artifactEntries } from "../contract/artifacts.js"
import { branchHistory, userEntry } from "../contract/history.js"
import { taskGraphOf } from "../contract/graphs/task-graph-of.js"
import type { TurnInput } from "../contract/turn.js"
import type { UserContent } from "../contract/user-content.js"
import { stateFrom } from "../data/session-state.js"
import type { SessionContents } from "./session-contents.js"

/** Input of an XState actor that runs a chart. */
export interface RunActorInput {
  readonly runId?: string
  readonly prompt?: UserContent | null
  /**
   * Initial values of the session state. They override the values of the chart and of the session.
   */
  readonly state?: Readonly<Record<string, unknown>>
  /** Artifacts with which the run starts, by name. */
  readonly artifacts?: Artifacts
  /**
   * Values that override values in the `context` of a Graph Compose graph. Ignored for other
   * charts.
   */
  readonly context?: Readonly<Record<string, unknown>>
  /** The stored session that the run continues. */
  readonly session?: SessionContents
  readonly at?: number
}

/**
 * Input of the root machine of a run. `activeAgent` is the agent of the root team that receives the
 * next message, or null for the root agent.
 */
export type RootInput = TurnInput & { readonly top: true; readonly activeAgent: string | null }

/**
 * Returns the input of the root machine for a Graph Compose graph. Its session state contains only
 * the `context` of the graph.
 */
const graphRunInput = (
  { context }: RunActorInput,
  chart: AgentChart,
  runId: string,
  at: number,
): RootInput => ({
  top: true,
  runId,
  agent: chart.id,
  path: chart.id,
  branch: null,
  state: stateFrom({ context: { ...chart.context, ...context } }),
  iteration: null,
  prompt: [],
  history: null,
  activeAgent: null,
  memory: null,
  remember: false,
  at,
})

export function rootTurnInput(
  input: RunActorInput,
  chart: AgentChart,
  runId: string,
  at: number,
): RootInput {
  const prompt = input.prompt === undefined ? chart.input.prompt : input.prompt
  const { session } = input
  const messageCount = session?.state[systemKey.userMessageCount]
  const userEntries = prompt === null ? [] : [userEntry(prompt)]
  const agent = chart.machines[chart.root]?.meta.agent ?? chart.id
  if (taskGraphOf(chart) !== null) return graphRunInput(input, chart, runId, at)
  return {
    top: true,
    runId,
    agent,
    path: agent,
    branch: null,
    state: stateFrom({
      ...(session?.state ?? chart.input.state),
      ...input.state,
      ...artifactEntries({ ...session?.artifacts, ...input.artifacts }),
      [systemKey.userMessageCount]:
        (typeof messageCount === "number" ? messageCount : 0) + userEntries.length,
      [systemKey.cycleCount]: 1,
    }),
    iteration: null,
    prompt: prompt === null ? [] : [{ role: "user", content: prompt }],
    history:
      chart.dialect === "adk" ? branchHistory((session?.history ?? []).concat(userEntries)) : null,
    activeAgent: session?.activeAgent ?? null,
    memory: null,
    remember: false,
    at,
  }
}
