import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import { graphIndex, selectEdges, splitByReadiness } from "../../machines/graph/graph-progress.js"
import type { Behavior, Control, RunEffect, End, Variant } from "../behavior/behavior.js"
import { endVariant, endWith, nextVariant, occurrenceEffect } from "../behavior/behavior.js"
import type { BlockStep, StepSoFar } from "./block-step.js"
import { joinSteps, moveOf, noStep, stepTo } from "./block-step.js"
import type { Branch, BranchEdge } from "./branch.js"
import { reduceBranch, withRunningState } from "./branch.js"
import type { AgentBehavior } from "./graph-node-behavior.js"
import { nodeBehavior } from "./graph-node-behavior.js"
import { unionOfKeys } from "../behavior/deferred-writes.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { NotAnalyzed } from "../behavior/setting.js"

interface GraphControl extends Control {
  /**
   * The nodes that wait for outputs. Each entry also lists the incoming edges of the node that have
   * already delivered an output.
   */
  readonly arrived: readonly (readonly [node: number, edges: readonly number[]])[]
  readonly running: readonly (readonly [node: number, state: number])[]
  /**
   * Number of runs of each node so far. null if the graph has no cycle, or if its `maxIterations`
   * is too large to count exactly.
   */
  readonly runs: readonly number[] | null
  readonly escalates: boolean
  /** The session state keys that the ended nodes of the graph have written. */
  readonly wrote: readonly string[]
}

type GraphStep = BlockStep<GraphControl>

/** Maximum number of graph nodes that start in one step of the model checker. */
const maxStarted = 4

/**
 * Returns the transition system of an ADK workflow graph. Nodes start and follow edges by the rules
 * of the machine `workflowGraph`. Each node is first explored separately and reduced to the steps
 * that are relevant to the policy. Then the steps of all nodes are combined.
 */
export function graphBehavior(
  agent: string,
  graph: ChartGraph,
  location: NestedLocation,
  setting: Setting,
  agentBehavior: AgentBehavior,
): Behavior<GraphControl> {
  if (graph.triggering !== undefined)
    throw new NotAnalyzed(`the graph "${agent}", whose nodes run once for each trigger`)
  const index = graphIndex(graph)
  const exact = graph.maxIterations <= setting.largestCounter && hasCycle(graph)
  const nodeLocation = (node: ChartGraphNode, number: number): NestedLocation => {
    const id = `${location.id}.${number}`
    const within = [...location.within, { id, agent: node.id, tool: null }]
    return { ...location, id, within, isHidden: true, reportsPauses: false }
  }
  const nodes = graph.nodes.map((node, number): Branch | null =>
    node.src === null
      ? null
      : withRunningState(
          reduceBranch(
            nodeBehavior(
              graph,
              number,
              nodeLocation(node, number),
              setting,
              agentBehavior,
              (id, inner) =>
                graphBehavior(id, inner, nodeLocation(node, number), setting, agentBehavior),
            ),
            setting,
            location.countsWaiting,
          ),
        ),
  )
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const hidden = location.isHidden ? [] : [...setting.keys]
  const close: readonly RunEffect[] = [
    occurrenceEffect({ kind: "dropped", name: `${location.id}.`, agent, within: [] }),
    { type: "release", keys: hidden },
  ]

  const control = ({
    arrived,
    running,
    runs,
    escalates,
    wrote,
  }: Omit<GraphControl, "key">): GraphControl => ({
    key: JSON.stringify([
      arrived,
      running.map(([node, nodeState]) => [node, nodes[node]?.classes[nodeState] ?? nodeState]),
      runs,
      escalates,
      wrote,
    ]),
    arrived,
    running,
    runs,
    escalates,
    wrote,
  })

  const finish = (
    signal: End["signal"],
    { escalates, wrote }: Pick<GraphControl, "escalates" | "wrote">,
  ): Variant<GraphControl> =>
    endVariant(endWith(signal, { escalates, wrote }), [
      ...close,
      occurrenceEffect({ kind: "finish", name: agent, ...base, outcome: signal, ...activity }),
    ])

  /** Returns the index of the first node that can start now, or null if no node can start. */
  const readyNode = (state: GraphControl): number | null => {
    const byNode: (object | null)[] = []
    for (const [node] of state.running) byNode[node] = {}
    const pending = state.arrived.map(([node]) => ({ node }))
    const running = { count: state.running.length, byNode }
    return splitByReadiness(pending, running, graph, index).ready[0]?.node ?? null
  }

  let started = 0
  /**
   * Starts the nodes that can start now, but at most `mostStarted` of them. The other nodes start
   * in the next step. Without this limit, nodes without effects in a cycle could start each other
   * forever.
   */
  const startReady = (state: GraphControl, step: StepSoFar): readonly GraphStep[] => {
    if (started >= maxStarted) return [stepTo(step, nextVariant(state))]
    started++
    const found = startNext(state, step)
    started--
    return found
  }

  const startNext = (state: GraphControl, step: StepSoFar): readonly GraphStep[] => {
    const node = readyNode(state)
    if (node === null)
      return [
        stepTo(
          step,
          state.running.length === 0 && state.arrived.length === 0
            ? finish("done", state)
            : nextVariant(state),
        ),
      ]
    const count = (state.runs?.[node] ?? 0) + 1
    const runs =
      state.runs === null
        ? null
        : state.runs.map((one, position) => (position === node ? count : one))
    const waiting = control({
      ...state,
      arrived: state.arrived.filter(([one]) => one !== node),
      runs,
    })
    const limited = [stepTo(step, finish("limited", state))]
    if (exact && count > setting.highestCount) return count > graph.maxIterations ? limited : []
    if (exact && count > graph.maxIterations) return limited
    const more = exact || !hasCycle(graph) ? [] : limited
    const branch = nodes[node]
    // A node that can start in several ways is started in a step of its own.
    if ((branch?.starts.length ?? 1) > 1 && step !== noStep)
      return [stepTo(step, nextVariant(state))]
    const startSteps =
      branch == null
        ? follow(waiting, node, endWith("done"), step)
        : branch.starts.flatMap((edge) => apply(waiting, node, edge, step))
    return [...more, ...startSteps]
  }

  const apply = (
    state: GraphControl,
    node: number,
    edge: BranchEdge,
    before: StepSoFar,
  ): readonly GraphStep[] => {
    const step = joinSteps(before, edge)
    const others = state.running.filter(([one]) => one !== node)
    return edge.to === null
      ? follow(control({ ...state, running: others }), node, edge.end ?? endWith("failed"), step)
      : startReady(control({ ...state, running: sorted([...others, [node, edge.to]]) }), step)
  }

  /**
   * Handles the end of a node. Either the graph ends, or the output of the node is passed along its
   * outgoing edges. Returns the resulting steps.
   */
  const follow = (
    state: GraphControl,
    node: number,
    end: End,
    step: StepSoFar,
  ): readonly GraphStep[] => {
    const after = {
      escalates: state.escalates || end.escalates || end.signal === "escalated",
      wrote: unionOfKeys(state.wrote, end.wrote),
    }
    if (end.signal === "limited" || end.signal === "failed")
      return [stepTo(step, finish(end.signal, after))]
    if (end.signal === "exited" && graph.subAgentExitFlow !== "agent")
      return [stepTo(step, finish("exited", after))]
    const chosen = selectEdges(node, end.route === null ? [] : [end.route], graph, index)
    if (!chosen.ok) return [stepTo(step, finish("failed", after))]
    const arrived = new Map(state.arrived)
    for (const edge of chosen.edges) {
      const to = graph.edges[edge]?.to ?? -1
      arrived.set(
        to,
        [...new Set([...(arrived.get(to) ?? []), edge])].sort((one, other) => one - other),
      )
    }
    return startReady(
      control({ ...state, ...after, arrived: [...arrived].sort(([one], [other]) => one - other) }),
      step,
    )
  }

  const sorted = (running: GraphControl["running"]): GraphControl["running"] =>
    [...running].sort(([one], [other]) => one - other)

  /**
   * Returns whether the graph continues without a response of a model, a tool or a person. This is
   * the case if a node can start, or if all nodes have ended.
   */
  const isPassing = (state: GraphControl): boolean =>
    readyNode(state) !== null || (state.running.length === 0 && state.arrived.length === 0)

  return {
    start: () => {
      const arrived = new Map<number, number[]>()
      for (const edge of index.starting) {
        const to = graph.edges[edge]?.to ?? -1
        arrived.set(to, [...(arrived.get(to) ?? []), edge])
      }
      return startReady(
        control({
          arrived: [...arrived].sort(([one], [other]) => one - other),
          running: [],
          runs: exact ? graph.nodes.map(() => 0) : null,
          escalates: false,
          wrote: [],
        }),
        {
          ...noStep,
          effects: [
            occurrenceEffect({ kind: "start", name: agent, ...base, ...activity }),
            { type: "hide", keys: hidden },
          ],
        },
      ).map(({ effects, next, end }) => ({ effects, next, end }))
    },
    moves: (state) =>
      (isPassing(state)
        ? startReady(state, noStep)
        : state.running.flatMap(([node, nodeState]) => [
            ...(nodes[node]?.edges[nodeState] ?? []).flatMap((edge) =>
              apply(state, node, edge, noStep),
            ),
            ...(nodes[node]?.pauses[nodeState] ?? []).flatMap((edge) =>
              apply(state, node, edge, noStep),
            ),
          ])
      ).map(moveOf),
    waits: (state) =>
      !isPassing(state) &&
      state.running.length > 0 &&
      state.running.every(([node, nodeState]) => nodes[node]?.waits[nodeState] === true),
  }
}

const cycles = new WeakMap<ChartGraph, boolean>()

/** Returns whether any node of the graph can run more than once. */
function hasCycle(graph: ChartGraph): boolean {
  let found = cycles.get(graph)
  if (found === undefined) {
    // Topological sort: removes each node whose predecessors have all been removed.
    const open = graph.nodes.map(
      (_, node) => graph.edges.filter(({ from, to }) => to === node && from !== -1).length,
    )
    const free = [...open.keys()].filter((node) => open[node] === 0)
    for (const node of free)
      for (const { from, to } of graph.edges)
        if (from === node) {
          const left = (open[to] ?? 0) - 1
          open[to] = left
          if (left === 0) free.push(to)
        }
    found = free.length < graph.nodes.length
    cycles.set(graph, found)
  }
  return found
}
