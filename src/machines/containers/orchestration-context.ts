import type { AgentChart } from "../contract/agent-chart.js"
import type { StateMeta } from "../contract/chart-machine.js"
import type { HostStep } from "../contract/services.js"
import type { BranchHistory } from "../contract/history.js"
import type { Outcome, AgentLocation, RunError } from "../contract/run-event.js"
import type { RootInput } from "./root-input.js"
import type { Team } from "./teams.js"
import { teamsFor } from "./teams.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"
import type { AgentMemory, TurnInput } from "../contract/turn.js"

/**
 * Context of a machine that runs agents and containers. It contains the progress of branches, loops
 * and teams. The keys of its records are state paths, such as `pipeline.rounds.writer`.
 */
export interface OrchestrationContext {
  readonly input: TurnInput
  /**
   * Whether this is the root machine of the run. Other machines run parallel branches, parts of the
   * workflow, and the agents of AgentTools.
   */
  readonly top: boolean
  at: number
  /** Parallel branches by state path. The entry `""` contains the state outside all branches. */
  scopes: Readonly<Record<string, BranchScope>>
  /** Current iteration index of each running loop, by state path. */
  loops: Readonly<Record<string, number>>
  /**
   * Result of the last evaluation of each condition, by the path of the state that evaluates it.
   */
  checks: Readonly<Record<string, "holds" | "does not hold" | "failed">>
  teams: Readonly<Record<string, Team>>
  /**
   * Conversations of agents that may run again, by state path. An agent continues its conversation
   * in its next turn.
   */
  memories: Readonly<Record<string, AgentMemory>>
  /** Progress of the host functions of custom agents, by state path. */
  hosts: Readonly<Record<string, HostProgress>>
  cycle: number
  cyclesSinceInput: number
  answeredByTool: boolean
  /**
   * Loops that must end because an agent inside them escalated, by state path. Only in the adk
   * dialect.
   */
  escalated: Readonly<Record<string, true>>
  /**
   * Whether an agent in this machine escalated. The escalation also ends loops of the parent
   * machines.
   */
  escalates: boolean
  /**
   * Set if the root agent of this machine escalated itself. Absent if only an agent inside it
   * escalated.
   */
  escalatesItself?: true
  /** Set if the root agent of this machine was skipped because of its `when` condition. */
  skipped?: true
  paused: boolean
  /** Whether the run has taken longer than its `maxDuration`. */
  overdue: boolean
  signal: Outcome | null
  error: RunError | null
}

/**
 * Progress of one parallel branch. It contains the session state, the texts and the status of the
 * branch.
 */
export interface BranchScope {
  readonly state: SessionState
  /**
   * Final text of the agent that ended last inside the innermost running container, such as a
   * sequence. null if this agent had no text.
   */
  readonly text: string | null
  readonly lastText: string | null
  readonly status: "open" | "done" | "escalated" | "failed"
  /** Whether the branch waits for people, because all of its running agents and calls do. */
  readonly paused: boolean
  readonly error: RunError | null
  /**
   * Session history that the agents of this branch see. null in the graph-compose dialect, in which
   * each agent has its own conversation.
   */
  readonly history: BranchHistory | null
}

/** Progress of a custom agent's host function, which can run sub-agents. */
export interface HostProgress {
  /**
   * The session state at the first call of the function. Each further execution of the function
   * also starts with this state.
   */
  readonly start: SessionState
  readonly steps: readonly HostStep[]
  /**
   * The sub-agent that the function is running, or null. `before` and `historyLength` are the
   * session state and the length of the history at the start of the sub-agent.
   */
  readonly running: {
    readonly agent: string
    readonly before: SessionState
    readonly historyLength: number
    readonly escalated: boolean
  } | null
}

/**
 * Parameters of an action or a guard for one state of the machine. `place` is the state path, such
 * as `pipeline.rounds`.
 */
export interface StateParams {
  readonly place: string
}

export const openScope = (state: SessionState, history: BranchHistory | null): BranchScope => ({
  state,
  history,
  text: null,
  lastText: null,
  status: "open",
  paused: false,
  error: null,
})

/**
 * An empty record that all contexts share. This is safe because actions replace records and never
 * mutate them.
 */
const noEntries: Readonly<Record<string, never>> = {}

export function orchestrationContext(
  input: TurnInput | RootInput,
  chart: AgentChart,
): OrchestrationContext {
  const top = "top" in input
  return {
    input,
    top,
    at: input.at,
    scopes: { "": openScope(top ? input.state : forkState(input.state), input.history) },
    loops: noEntries,
    checks: noEntries,
    teams: top ? teamsFor(input.activeAgent, chart) : noEntries,
    memories: noEntries,
    hosts: noEntries,
    cycle: 1,
    cyclesSinceInput: 1,
    answeredByTool: false,
    escalated: noEntries,
    escalates: false,
    paused: false,
    overdue: false,
    signal: null,
    error: null,
  }
}

/**
 * Returns the location of an agent in the run. It consists of the agent's id, its path with the
 * current loop iterations, and the name of its branch.
 */
export function locationOf(context: OrchestrationContext, meta: StateMeta): AgentLocation {
  const { input, cycle } = context
  const machine = cycle > 1 ? `${input.path}@${cycle}` : input.path
  const path = pathBelow(machine, meta, input.agent, context.loops)
  const branch =
    input.branch === null
      ? meta.branch
      : meta.branch === null
        ? input.branch
        : `${input.branch}.${meta.branch}`
  return { agent: meta.agent, path, branch }
}

/**
 * Caches an agent's path as a list, split at each `[*]`. For example, `pipeline/rounds[*]/writer`
 * without the root agent's id `pipeline` is split into `/rounds` and `/writer`.
 */
const pathPieces = new WeakMap<StateMeta, readonly string[]>()

function pathBelow(
  machine: string,
  meta: StateMeta,
  agent: string,
  loops: Readonly<Record<string, number>>,
): string {
  let pieces = pathPieces.get(meta)
  if (pieces === undefined) {
    pieces = meta.path.slice(agent.length).split("[*]")
    pathPieces.set(meta, pieces)
  }
  const counters = meta.counters ?? meta.loops
  let path = machine + (pieces[0] ?? "")
  for (let index = 1; index < pieces.length; index++) {
    const loop = counters[index - 1]
    path += `[${loop === undefined ? "*" : (loops[loop] ?? 0)}]${pieces[index] ?? ""}`
  }
  return path
}

/**
 * Returns the current iteration index of the innermost loop that contains a state. Returns null
 * outside loops.
 */
export function currentIteration(context: OrchestrationContext, meta: StateMeta): number | null {
  const innermost = meta.loops.at(-1)
  return innermost === undefined ? context.input.iteration : (context.loops[innermost] ?? 0)
}

/**
 * Returns the paths of all states that contain the state with this path. The path of the machine
 * itself is `""`.
 */
export function pathsAround(path: string): readonly string[] {
  if (path === "") return []
  const around = [""]
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1))
    around.push(path.slice(0, dot))
  return around
}

export const getScope = (context: OrchestrationContext, scope: string): BranchScope => {
  const found = context.scopes[scope]
  if (found === undefined) throw new TypeError(`the branch "${scope}" is not open`)
  return found
}

export function changeScope(
  context: OrchestrationContext,
  scope: string,
  changes: Partial<BranchScope>,
): void {
  const scopes = { ...context.scopes }
  scopes[scope] = { ...getScope(context, scope), ...changes }
  context.scopes = scopes
}
