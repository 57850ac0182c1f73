import type { AgentChart, PlaceMeta } from "../contract/agent-chart.js"
import type { Artifacts } from "../contract/artifacts.js"
import { artifactEntries } from "../contract/artifacts.js"
import type { HostStep, Message } from "../contract/services.js"
import type { BranchHistory } from "../contract/history.js"
import { branchHistory, userEntry } from "../contract/history.js"
import type { Outcome, AgentLocation, RunError } from "../contract/run-event.js"
import type { SessionContents } from "./session-contents.js"
import { teamsFor } from "./session-contents.js"
import type { SessionState } from "../data/session-state.js"
import { forkState, stateFrom, writeKey } from "../data/session-state.js"
import type { UserContent } from "../contract/user-content.js"
import type { AgentMemory, TurnInput } from "../contract/turn.js"

/** Memory of an orchestration machine: where its branches, loops and teams stand. */
export interface OrchestrationContext {
  readonly input: TurnInput
  /** The machine that the run started with; others are branches, subtrees and targets of AgentTools. */
  readonly top: boolean
  at: number
  /** By place of the branch; `""` is the machine's own. */
  scopes: Readonly<Record<string, Scope>>
  /** Index of the iteration that each loop is in, by place. */
  loops: Readonly<Record<string, number>>
  /** How each condition came out when it was last checked, by place. */
  checks: Readonly<Record<string, "holds" | "does not hold" | "failed">>
  teams: Readonly<Record<string, Team>>
  /** Of agents that are asked again, by place. */
  memories: Readonly<Record<string, AgentMemory>>
  /** What the steps of host code have come to, by place of the custom agent. */
  hosts: Readonly<Record<string, HostProgress>>
  cycle: number
  cyclesSinceInput: number
  answeredByTool: boolean
  /** Loops that an agent below has escalated out of, by place (adk). */
  escalated: Readonly<Record<string, true>>
  /** Whether an agent below has escalated out of every loop of this machine. */
  escalates: boolean
  paused: boolean
  /** The run has taken longer than its `maxDuration`. */
  overdue: boolean
  signal: Outcome | null
  error: RunError | null
}

/** What belongs to one parallel branch: its writes above the snapshot, its text, how it ended. */
export interface Scope {
  readonly state: SessionState
  /** Text of the agent that ran last in the innermost container; null where it had none. */
  readonly text: string | null
  readonly lastText: string | null
  readonly status: "open" | "done" | "escalated" | "failed"
  /** Nothing moves here until a person acts. */
  readonly paused: boolean
  readonly error: RunError | null
  /** What was said in the session, as this branch has heard it; null where conversations are apart. */
  readonly history: BranchHistory | null
}

/** How far the host code of a custom agent has come. */
export interface HostProgress {
  /** The state when it was first called. */
  readonly start: SessionState
  readonly steps: readonly HostStep[]
  /** The agent that it runs, with the state and the length of the history when that began, and whether it has escalated. */
  readonly running: {
    readonly agent: string
    readonly before: SessionState
    readonly heard: number
    readonly escalated: boolean
  } | null
}

/** Params of an update or guard that is about one place of its machine. */
export interface PlaceParams {
  readonly place: string
}

export interface Team {
  /** Place of the member that gets the next message; null: the parent does. */
  readonly active: string | null
  /** Transfers in this cycle. */
  readonly handoffs: number
  /** All that the user had said to the agent that last handed off; null before the first transfer. */
  readonly prompt: readonly Message[] | null
}

export const noTeam: Team = { active: null, handoffs: 0, prompt: null }

export const openScope = (state: SessionState, history: BranchHistory | null): Scope => ({
  state,
  history,
  text: null,
  lastText: null,
  status: "open",
  paused: false,
  error: null,
})

/** Input of the machine that a run starts with. */
export interface RunInput {
  readonly runId?: string
  readonly prompt?: UserContent | null
  /** Written over the chart's initial state, or over that of the session. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Texts and bytes by name, as if they had been saved before the run. */
  readonly artifacts?: Artifacts
  /** The session that the run goes on with, as it was stored. */
  readonly session?: SessionContents
  readonly at?: number
}

/** What the machine that a run starts with is given. */
export type RootInput = TurnInput & { readonly top: true; readonly activeAgent: string | null }

export function rootTurnInput(
  input: RunInput,
  chart: AgentChart,
  runId: string,
  at: number,
): RootInput {
  const prompt = input.prompt === undefined ? chart.input.prompt : input.prompt
  const { session } = input
  const seed = stateFrom({
    ...(session?.state ?? chart.input.state),
    ...input.state,
    ...artifactEntries({ ...session?.artifacts, ...input.artifacts }),
  })
  const heard = session?.state["_user_message_count"]
  const said = prompt === null ? [] : [userEntry(prompt)]
  const agent = chart.machines[chart.root]?.meta.agent ?? chart.id
  return {
    top: true,
    runId,
    agent,
    path: agent,
    branch: null,
    state: writeKey(
      writeKey(seed, "_user_message_count", (typeof heard === "number" ? heard : 0) + said.length),
      "orchestration_cycle_count",
      1,
    ),
    iteration: null,
    prompt: prompt === null ? [] : [{ role: "user", content: prompt }],
    history: chart.dialect === "adk" ? branchHistory([...(session?.history ?? []), ...said]) : null,
    activeAgent: session?.activeAgent ?? null,
    memory: null,
    remember: false,
    at,
  }
}

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
    loops: {},
    checks: {},
    teams: top ? teamsFor(input.activeAgent, chart) : {},
    memories: {},
    hosts: {},
    cycle: 1,
    cyclesSinceInput: 1,
    answeredByTool: false,
    escalated: {},
    escalates: false,
    paused: false,
    overdue: false,
    signal: null,
    error: null,
  }
}

/** Where an agent stands in the run: the machine's own path with the iterations filled in. */
export function locationOf(context: OrchestrationContext, meta: PlaceMeta): AgentLocation {
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

/** Paths of places below the agent of their machine, split where an iteration goes. */
const pathPieces = new WeakMap<PlaceMeta, readonly string[]>()

function pathBelow(
  machine: string,
  meta: PlaceMeta,
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
  for (let at = 1; at < pieces.length; at++) {
    const loop = counters[at - 1]
    path += `[${loop === undefined ? "*" : (loops[loop] ?? 0)}]${pieces[at] ?? ""}`
  }
  return path
}

/** Index of the innermost loop around a place; null outside of loops. */
export function currentIteration(context: OrchestrationContext, meta: PlaceMeta): number | null {
  const innermost = meta.loops.at(-1)
  return innermost === undefined ? context.input.iteration : (context.loops[innermost] ?? 0)
}

export const getScope = (context: OrchestrationContext, scope: string): Scope => {
  const found = context.scopes[scope]
  if (found === undefined) throw new TypeError(`no open branch at "${scope}"`)
  return found
}

export function changeScope(
  context: OrchestrationContext,
  scope: string,
  changes: Partial<Scope>,
): void {
  context.scopes = { ...context.scopes, [scope]: { ...getScope(context, scope), ...changes } }
}
