import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { connect } from "./connect.js"
import { describeAgent, describeState } from "./describe-agent.js"
import { fanBranches } from "./fan-branches.js"
import { graphLevel } from "./graph-level.js"
import type { MachineEdge } from "./machine-edges.js"
import { endingOf, levelOf, lookOfEnding, machineEdges, statechartEdges } from "./machine-edges.js"
import { statechartLines } from "./statechart-labels.js"
import type { DrawingDetail } from "../picture/picture.js"
import { taskLevel } from "./task-level.js"
import { userMachineLevels } from "./user-machine-level.js"
import type { Level, PictureState } from "../picture/picture.js"
import type { StateNames } from "./state-names.js"

export interface Drawing {
  readonly chart: AgentChart
  readonly detail: DrawingDetail
  /** Whether to draw all branches of a parallel block. If false, at most 12 branches are drawn. */
  readonly everyBranch: boolean
  readonly names: StateNames
  /**
   * Keys of the machines that are being drawn, from the outermost to the innermost. A machine in
   * this list is not drawn again, so a machine that invokes itself causes no infinite recursion.
   */
  readonly within: readonly string[]
}

/** The options of a drawing, with the transitions and state ids of the machine to draw. */
interface Reading extends Drawing {
  readonly edges: ReadonlyMap<string, readonly MachineEdge[]>
  readonly ids: ReadonlyMap<string, string>
}

/**
 * Returns a predicate that selects the transitions to draw. Transitions to the active member of a
 * team are drawn only with the detail level `all`. Transitions for a tool whose result ends the
 * turn are drawn only if the chart has such a tool.
 */
function isWorthDrawing({ chart, detail }: Drawing): (transition: ChartTransition) => boolean {
  const toolsAnswer = Object.values(chart.tools).some(
    (tool) => tool.type === "AgentTool" && tool.skipSummarization,
  )
  return ({ guard }) =>
    (guard?.type !== "wasAnsweredByTool" || toolsAnswer) &&
    (guard?.type !== "activeIs" || detail === "all")
}

/**
 * Converts a machine of a chart to states and the arrows between them. Each call creates new ids,
 * so that the same machine can be drawn several times.
 */
export function readMachine(key: string, drawing: Drawing): Level {
  const machine = drawing.chart.machines[key]
  if (machine === undefined || drawing.within.includes(key)) return { states: [], arrows: [] }
  const edges =
    drawing.detail === "statechart"
      ? statechartEdges(machine)
      : machineEdges(machine, isWorthDrawing(drawing))
  return readLevel("", machine.initial, machine.states, {
    ...drawing,
    within: [...drawing.within, key],
    edges: byLevel(edges),
    ids: nameStates(machine, drawing.names),
  })
}

function byLevel(edges: readonly MachineEdge[]): ReadonlyMap<string, readonly MachineEdge[]> {
  const levels = new Map<string, MachineEdge[]>()
  for (const edge of edges) {
    const level = levels.get(levelOf(edge))
    if (level === undefined) levels.set(levelOf(edge), [edge])
    else level.push(edge)
  }
  return levels
}

function nameStates(machine: ChartMachine, names: StateNames): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const visit = (
    states: Readonly<Record<string, ChartState>>,
    path: string,
    areRegions: boolean,
  ): void => {
    for (const [key, state] of Object.entries(states)) {
      const childPath = path === "" ? key : `${path}.${key}`
      if (!areRegions && !isEnd(state, key)) ids.set(childPath, names.next(key))
      visit(state.states ?? {}, childPath, state.type === "parallel")
    }
  }
  visit(machine.states, "", false)
  return ids
}

/** Returns whether a state is a normal final state, which is drawn as a ring (the end mark). */
const isEnd = (state: ChartState, key: string): boolean =>
  state.type === "final" && endingOf(key) === null

const isChoice = (state: ChartState): boolean =>
  state.type === undefined &&
  state.invoke === undefined &&
  state.states === undefined &&
  state.on === undefined

function readLevel(
  path: string,
  initial: string | undefined,
  states: Readonly<Record<string, ChartState>>,
  reading: Reading,
): Level {
  const inside = (key: string): string => (path === "" ? key : `${path}.${key}`)
  const entries = Object.entries(states)
  const isFull = reading.detail === "statechart"
  const { arrows, bypassed } = connect({
    level: path,
    initial: initial === undefined ? null : inside(initial),
    edges: reading.edges.get(path) ?? [],
    choices: new Set(entries.filter(([, state]) => isChoice(state)).map(([key]) => inside(key))),
    ids: reading.ids,
    all: reading.detail === "all" || isFull,
    keepsChoices: isFull,
  })
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]))
  const drawn = entries.flatMap(([key, state]): PictureState[] => {
    const id = reading.ids.get(inside(key))
    if (id === undefined || bypassed.has(inside(key))) return []
    if (state.type === "final")
      return used.has(id)
        ? [{ id, look: lookOfEnding(key), title: key, lines: [], regions: [] }]
        : []
    const lines = isFull ? statechartLines(state) : []
    if (isChoice(state) && lines.length === 0)
      return [{ id, look: "choice", title: key, lines, regions: [] }]
    if (isChoice(state)) return [{ id, look: "RouterNode", title: key, lines, regions: [] }]
    return [readState(inside(key), id, state, reading)]
  })
  return { states: drawn, arrows }
}

/** Replaces the text lines of a state with the lines for the detail level of the drawing. */
function detailed<T extends Pick<PictureState, "lines">>(
  described: T,
  state: ChartState,
  { detail }: Reading,
): T {
  if (detail === "statechart") return { ...described, lines: statechartLines(state) }
  return detail === "agents" ? { ...described, lines: [] } : described
}

function readState(path: string, id: string, state: ChartState, reading: Reading): PictureState {
  const { chart } = reading
  const described = { id, ...detailed(describeState(path, state, chart), state, reading) }
  const src = state.invoke?.src
  if (src === "fan")
    return {
      ...described,
      regions: fanBranches(state.invoke, reading, readLeaf(reading), readBranch(reading)),
    }
  if (src === "workflowGraph" || src === "nodeRun")
    return {
      ...described,
      regions: [
        graphLevel(
          graphOfInput(state.invoke?.input),
          reading.names,
          readLeaf(reading),
          readBranch(reading),
        ),
      ],
    }
  if (src === "taskGraph")
    return {
      ...described,
      regions: [
        taskLevel(state.invoke?.input["graph"], reading.names, (key) =>
          readChart(reading, chart.charts?.[key]),
        ),
      ],
    }
  if (src === "workflowAgent") return withCalled(described, reading)
  if (src === "machineAgent")
    return { ...described, regions: machineAgentLevels(state.invoke?.input["spec"], reading) }
  if (src !== undefined && Object.hasOwn(chart.machines, src)) {
    const level = readMachine(src, reading)
    const only = onlyState(level)
    return only === null ? { ...described, regions: [level] } : { ...only, id }
  }
  const children = state.states ?? {}
  if (state.type === "parallel") {
    const regions = Object.entries(children).map(([key, region]) =>
      readRegion(`${path}.${key}`, region, reading),
    )
    return { ...described, regions }
  }
  return state.states === undefined
    ? described
    : { ...described, regions: [readLevel(path, state.initial, children, reading)] }
}

/**
 * Returns the states of the user-defined machine of a MachineAgent. If the machine has no states,
 * returns the agents that `spec` lists.
 */
function machineAgentLevels(spec: unknown, reading: Reading): readonly Level[] {
  if (!isJsonObject(spec)) return []
  const agents = new Map(
    (Array.isArray(spec["agents"]) ? spec["agents"] : []).flatMap((entry: unknown) =>
      isJsonObject(entry) ? [[String(entry["agent"]), String(entry["src"])] as const] : [],
    ),
  )
  const draw = (name: string): Level | null => {
    const src = agents.get(name)
    if (src === undefined) return null
    return Object.hasOwn(reading.chart.machines, src)
      ? readBranch(reading)(src)
      : { states: [readLeaf(reading)(reading.names.next(name), name)], arrows: [] }
  }
  const levels = userMachineLevels(spec["machine"], reading.names, draw)
  return levels.length > 0 ? levels : [...agents.keys()].flatMap((name) => draw(name) ?? [])
}

function readRegion(path: string, region: ChartState, reading: Reading): Level {
  return withoutMarks(readLevel(path, region.initial, region.states ?? {}, reading))
}

const readLeaf =
  (reading: Reading) =>
  (id: string, agent: string): PictureState =>
    withCalled(
      {
        id,
        ...describeAgent(agent, reading.chart),
        ...(reading.detail === "agents" && { lines: [] }),
        regions: [],
      },
      reading,
    )

/** If the agent of a state calls a workflow of the chart, draws the workflow inside the state. */
function withCalled(state: PictureState, reading: Reading): PictureState {
  const agent = reading.chart.agents[state.agent ?? ""]
  const called =
    agent?.type === "WorkflowAgent" ? reading.chart.workflows?.[agent.workflow] : undefined
  if (called === undefined) return state
  return {
    ...state,
    title: state.lines.length === 0 ? state.title : `${state.title} (${state.lines.join(", ")})`,
    lines: [],
    regions: [withoutAgents(readChart(reading, called))],
  }
}

/**
 * Removes the agent ids from the drawn states of a called workflow. The called workflow executes as
 * a separate run, so the events of the calling run do not contain these agents.
 */
const withoutAgents = ({ states, arrows }: Level): Level => ({
  arrows,
  states: states.map(({ agent: _agent, regions, ...state }) => ({
    ...state,
    regions: regions.map(withoutAgents),
  })),
})

const readBranch =
  (reading: Reading) =>
  (machine: string): Level =>
    withoutMarks(readMachine(machine, reading))

/** Returns the drawing of another chart's root machine, for example of a called workflow. */
const readChart = (reading: Reading, chart: AgentChart | undefined): Level =>
  chart === undefined
    ? { states: [], arrows: [] }
    : withoutMarks(readMachine(chart.root, { ...reading, chart, within: [] }))

/** If a level has only one state and no labeled arrows, removes the arrows of its marks. */
export function withoutMarks(level: Level): Level {
  const only = onlyState(level)
  return only === null ? level : { states: [only], arrows: [] }
}

/**
 * Returns the only state of a level. Returns null if the level has several states, labeled arrows
 * or an arrow from the state to itself.
 */
function onlyState({ states, arrows }: Level): PictureState | null {
  const [only] = states
  if (only === undefined || states.length > 1) return null
  return arrows.every(({ from, to, labels }) => labels.length === 0 && from !== to) ? only : null
}

/** Returns the workflow graph from the input of the machine `workflowGraph` or `nodeRun`. */
const graphOfInput = (input: Readonly<Record<string, unknown>> = {}): unknown =>
  // The emitter writes the input of `nodeRun` in this shape.
  input["graph"] ?? (input["node"] as { readonly graph?: unknown } | undefined)?.graph
