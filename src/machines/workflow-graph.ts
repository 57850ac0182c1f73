import type { AgentChart } from "./agent-chart.js"
import type { ChartGraph, ChartGraphNode } from "./graph-shape.js"
import type { Arrival, GraphIndex, Token } from "./graph-progress.js"
import { arrive, choosesRoute, divide, follow, indexOf } from "./graph-progress.js"
import type { GraphOutput, NodeTurn } from "./graph-turns.js"
import { agentInput, codeInput, nodeInput, readRoutes, textOf, turnOfNode } from "./graph-turns.js"
import type { Meeting, Writes } from "./graph-writes.js"
import { firstWrites, meet, settled, writesAfter } from "./graph-writes.js"
import type { History } from "./history.js"
import { mergeError } from "./join.js"
import type { Outcome, Place, RunError } from "./run-event.js"
import { emptyPatch, isEmptyPatch, patchOf } from "./session-state.js"
import type { MachineKind, Step } from "./step.js"
import type { TurnInput } from "./turn.js"

/**
 * A graph of nodes (SPEC sections 8 and 12). A node begins when something has come to it along an edge and nothing that is still
 * at work can come to it on another one; what it comes to goes on along its edges. Each node that is at work is a child actor.
 */
export const workflowGraphConfig = {
  id: "workflowGraph",
  initial: "starting",
  on: { "run.stopped": [{ target: "#workflowGraph.stopped", actions: [{ type: "stopGraph" }] }] },
  states: {
    starting: { always: [{ target: "#workflowGraph.running", actions: [{ type: "startGraph" }] }] },
    running: {
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordNode" }] }],
        "child.paused": [{ actions: [{ type: "notePausedNode" }] }],
        "child.resumed": [{ actions: [{ type: "noteResumedNode" }] }],
      },
      always: [
        { guard: { type: "nodeLimited" }, target: "#workflowGraph.limited", actions: [{ type: "joinGraph" }] },
        { guard: { type: "nodeExited" }, target: "#workflowGraph.exited", actions: [{ type: "joinGraph" }] },
        { guard: { type: "nodeFailed" }, target: "#workflowGraph.failed", actions: [{ type: "joinGraph" }] },
        { guard: { type: "graphIsThrough" }, target: "#workflowGraph.joining", actions: [{ type: "joinGraph" }] },
      ],
    },
    joining: {
      always: [{ guard: { type: "joinFailed" }, target: "#workflowGraph.failed" }, { target: "#workflowGraph.done" }],
    },
    done: { type: "final", entry: [{ type: "finishGraph", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "exited" } }] },
    failed: { type: "final", entry: [{ type: "finishGraph", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishGraph", params: { signal: "stopped" } }] },
  },
} as const

export type GraphInput = TurnInput & { readonly graph: ChartGraph }

/** A node that is at work. */
interface Running {
  readonly node: number
  readonly path: string
  readonly given: unknown
  readonly writes: Writes
  readonly isPaused: boolean
}

/** A node from which nothing goes on. */
interface End {
  readonly node: number
  readonly output: unknown
  readonly text: string | null
  readonly writes: Writes
}

interface GraphContext {
  readonly input: GraphInput
  readonly index: GraphIndex
  readonly rules: AgentChart["settings"]["stateMerge"]
  at: number
  /** Of the last writes. */
  ordinal: number
  arrivals: readonly Arrival[]
  running: readonly Running[]
  ends: Chain<End> | null
  /** How often each node has begun. */
  begun: Readonly<Record<string, number>>
  writes: Writes
  output: unknown
  text: string | null
  spoken: Chain<History> | null
  escalates: boolean
  paused: boolean
  /** Set by the node that ends the graph. */
  ending: "limited" | "exited" | "failed" | "stopped" | null
  signal: Outcome | null
  error: RunError | null
}

/** The newest first: a list that grows without being copied. */
interface Chain<Link> {
  readonly link: Link
  readonly before: Chain<Link> | null
}

function linksOf<Link>(chain: Chain<Link> | null): readonly Link[] {
  const links: Link[] = []
  for (let one = chain; one !== null; one = one.before) links.push(one.link)
  return links.reverse()
}

const placeOf = ({ agent, path, branch }: TurnInput): Place => ({ agent, path, branch })

const nodeAt = ({ input }: GraphContext, node: number): ChartGraphNode => input.graph.nodes[node] as ChartGraphNode

const placeOfNode = (context: GraphContext, { node, path }: Pick<Running, "node" | "path">): Place => ({
  agent: nodeAt(context, node).id,
  path,
  branch: context.input.branch,
})

/** Agents announce themselves; nodes that exist only in graphs do not. */
const isAgent = ({ src }: ChartGraphNode): boolean => src !== null && src !== "hostCode"

export const workflowGraphKind: MachineKind<GraphContext, GraphInput, GraphOutput> = {
  contextFrom: (input, chart) => ({
    input,
    index: indexOf(input.graph),
    rules: chart.settings.stateMerge,
    at: input.at,
    ordinal: 0,
    arrivals: [],
    running: [],
    ends: null,
    begun: {},
    writes: firstWrites(input.state),
    output: null,
    text: null,
    spoken: null,
    escalates: false,
    paused: false,
    ending: null,
    signal: null,
    error: null,
  }),

  guards: {
    nodeLimited: (context) => context.ending === "limited",
    nodeExited: (context) => context.ending === "exited",
    nodeFailed: (context) => context.ending === "failed",
    graphIsThrough: (context) => context.ending === null && context.running.length === 0 && context.arrivals.length === 0,
    joinFailed: (context) => context.error !== null,
  },

  updates: {
    startGraph: (context, _event, _params, step) => {
      step.announce({ ...placeOf(context.input), type: "agent.started", kind: "Workflow" })
      const said = context.input.prompt.findLast(({ role }) => role === "user")?.content ?? null
      goOn(context, context.index.starting, { output: said, writes: context.writes, route: null, from: "START" }, step)
      beginNodes(context, step)
    },
    recordNode: (context, event, _params, step) => {
      const node = Number((event["actorId"] as string).slice("node.".length))
      const run = context.running.find((one) => one.node === node)
      if (run === undefined) return
      context.running = context.running.filter((one) => one !== run)
      const turn = turnOfNode(nodeAt(context, node), event["output"], run.writes.state, step)
      recordTurn(context, run, turn, step)
      beginNodes(context, step)
      reportPaused(context, step)
    },
    notePausedNode: (context, event, _params, step) => {
      context.at = event["at"] as number
      notePaused(context, event["child"] as string, true, step)
    },
    noteResumedNode: (context, event, _params, step) => notePaused(context, event["child"] as string, false, step),
    stopGraph: (context, event, _params, step) => {
      context.at = event["at"] as number
      joinGraph(context, step)
    },
    joinGraph: (context, _event, _params, step) => joinGraph(context, step),
    finishGraph: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      step.announce({ ...placeOf(context.input), type: "agent.finished", kind: "Workflow", outcome: params.signal, text: context.text })
    },
  },

  childInput: () => ({}),

  output: (context) => ({
    signal: context.signal ?? "stopped",
    output: context.output,
    text: context.text,
    lastText: context.text,
    patch: patchOf(context.writes.state),
    handoffTo: null,
    error: context.error,
    answeredByTool: false,
    memory: null,
    spoken: linksOf(context.spoken).flat(),
    escalates: context.escalates,
    at: context.at,
  }),

  pending: () => [],
}

/** Begins every node that may begin; a join is through at once, which may let others begin. */
function beginNodes(context: GraphContext, step: Step): void {
  while (context.ending === null) {
    const { graph } = context.input
    const { ready, waiting } = divide(context.arrivals, context.running, graph, context.index)
    if (ready.length === 0) return
    const isOnly = ready.length === 1 && waiting.length === 0 && context.running.length === 0 && context.ends === null
    context.arrivals = waiting
    const begun: Running[] = []
    for (const arrival of ready) {
      const run = context.ending === null ? beginNode(context, arrival, isOnly, step) : null
      if (run === null) for (const token of arrival.tokens) addEnd(context, leftOver(arrival.node, token))
      else if (nodeAt(context, run.node).src !== null) begun.push(run)
      else recordTurn(context, run, passOn(run, context.at), step)
    }
    context.running = [...context.running, ...begun]
  }
}

/** Starts the machine of a node. null: the graph ends instead. */
function beginNode(context: GraphContext, { node: index, tokens: unsorted }: Arrival, isOnly: boolean, step: Step): Running | null {
  const { input } = context
  const { graph, path: above } = input
  const node = nodeAt(context, index)
  const earlier = Object.hasOwn(context.begun, node.id) ? (context.begun[node.id] ?? 0) : 0
  if (earlier >= graph.maxIterations) {
    context.ending = "limited"
    context.error = { code: "limit_reached", agent: node.id, message: `the node "${node.id}" of "${input.agent}" has run ${earlier} times, which is the maximum (maxIterations)` }
    return null
  }
  const tokens = unsorted.toSorted((one, other) => one.edge - other.edge)
  const met = meet(tokens.map((token): Meeting => ({ name: sourceOf(graph, token), writes: token.writes })), context.rules, ++context.ordinal)
  if (!met.ok) {
    context.ending = "failed"
    context.error = mergeError(node.id, met.message)
    return null
  }
  context.begun = { ...context.begun, [node.id]: earlier + 1 }
  const path = `${above}/${node.id}${earlier === 0 ? "" : `[${earlier}]`}`
  const writes = isOnly ? settled(met.writes) : met.writes
  const run: Running = { node: index, path, given: nodeInput(node, tokens, graph), writes, isPaused: false }
  if (!isAgent(node)) step.announce({ ...placeOfNode(context, run), type: "agent.started", kind: node.kind })
  if (node.src === null) return run
  const isFirst = tokens.every(({ edge }) => graph.edges[edge]?.from === -1)
  const given = isAgent(node)
    ? agentInput(input, node, path, run.given, isFirst, writes.state, context.at, step)
    : codeInput(input, node, path, run.given, writes.state, context.at)
  step.start(`node.${index}`, node.src, node.graph === undefined ? given : { ...given, graph: node.graph })
  return run
}

const sourceOf = ({ nodes, edges }: ChartGraph, { edge }: Token): string => nodes[edges[edge]?.from ?? -1]?.id ?? "START"

/** What a join comes to: all that came to it. */
const passOn = ({ given }: Running, at: number): NodeTurn => ({
  signal: "done",
  output: given,
  text: textOf(given),
  patch: emptyPatch,
  spoken: [],
  escalates: false,
  error: null,
  at,
})

function recordTurn(context: GraphContext, run: Running, turn: NodeTurn, step: Step): void {
  const node = nodeAt(context, run.node)
  const { signal, text, patch, spoken, at } = turn
  context.at = at
  const place = placeOfNode(context, run)
  const writes = isEmptyPatch(patch) ? run.writes : writesAfter(run.writes, patch, ++context.ordinal)
  if (!isEmptyPatch(patch)) step.announce({ ...place, type: "state.changed", set: patch.set, removed: patch.removed })
  if (!isAgent(node)) step.announce({ ...place, type: "agent.finished", kind: node.kind, outcome: signal, text })
  if (spoken.length > 0) context.spoken = { link: spoken, before: context.spoken }
  if (turn.escalates) context.escalates = true
  const end = (output: unknown): void => addEnd(context, { node: run.node, output, text, writes })
  if (signal === "stopped" || signal === "failed" || signal === "limited" || signal === "exited") {
    context.ending ??= signal
    context.error ??= turn.error
    end(turn.output)
    return
  }
  const { graph } = context.input
  const chooses = node.kind === "RouterNode" || choosesRoute(run.node, graph, context.index)
  const { routes, output } = chooses ? readRoutes(turn.output, run.given) : { routes: [], output: turn.output }
  const followed = follow(run.node, routes, graph, context.index)
  if (!followed.ok) {
    context.ending ??= "failed"
    context.error ??= unknownRoute(node.id, routes, followed.known, context)
    end(output)
  } else if (followed.edges.length === 0) end(output)
  else goOn(context, followed.edges, { output, writes, route: routes[0] ?? null, from: node.id }, step)
}

function unknownRoute(node: string, routes: readonly string[], known: readonly string[], { input }: GraphContext): RunError {
  const chose = routes.length === 0 ? "chose no route" : `chose the route ${routes.map((route) => `"${route}"`).join(", ")}`
  return {
    code: "unknown_route",
    agent: node,
    message: `"${node}" in the graph "${input.agent}" ${chose}; its edges have ${known.map((route) => `"${route}"`).join(", ")} and no default`,
  }
}

interface Going {
  readonly output: unknown
  readonly writes: Writes
  readonly route: string | null
  readonly from: string
}

function goOn(context: GraphContext, edges: readonly number[], { output, writes, route, from }: Going, step: Step): void {
  const { graph } = context.input
  for (const edge of edges) {
    const { to, route: own } = graph.edges[edge] as ChartGraph["edges"][number]
    step.announce({ ...placeOf(context.input), type: "edge.followed", from, to: nodeAt(context, to).id, route: own ?? (graph.edges[edge]?.otherwise === true ? route : null) })
  }
  context.arrivals = arrive(context.arrivals, edges.map((edge) => ({ edge, output, writes })), graph)
}

function addEnd(context: GraphContext, end: End): void {
  context.ends = { link: end, before: context.ends }
}

const leftOver = (node: number, { output, writes }: Token): End => ({ node, output, text: null, writes })

/** All that has finished, in the order of the nodes: the ends, what waits at nodes, and what was written before nodes that are at work. */
function joinGraph(context: GraphContext, step: Step): void {
  const waiting = context.arrivals.flatMap(({ node, tokens }) => tokens.map((token) => leftOver(node, token)))
  const working = context.running.map(({ node, writes }): End => ({ node, output: null, text: null, writes }))
  const ends = linksOf(context.ends)
  const all = [...ends, ...waiting, ...working].sort((one, other) => one.node - other.node)
  const met = meet(all.map(({ node, writes }) => ({ name: nodeAt(context, node).id, writes })), step.chart.settings.stateMerge, ++context.ordinal)
  if (met.ok) context.writes = met.writes
  else context.error ??= mergeError(context.input.agent, met.message)
  const last = ends.toSorted((one, other) => one.node - other.node).findLast(({ text }) => text !== null)
  context.text = last?.text ?? null
  context.output = last?.output ?? null
}

function notePaused(context: GraphContext, child: string, isPaused: boolean, step: Step): void {
  const node = Number(child.slice("node.".length))
  context.running = context.running.map((run) => (run.node === node ? { ...run, isPaused } : run))
  reportPaused(context, step)
}

function reportPaused(context: GraphContext, step: Step): void {
  const paused = context.running.length > 0 && context.running.every(({ isPaused }) => isPaused)
  if (paused === context.paused) return
  context.paused = paused
  step.tellParent(paused ? { type: "child.paused", patch: emptyPatch, text: null, at: context.at } : { type: "child.resumed" })
}
