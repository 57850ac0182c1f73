import { timeOf, childOf, doneIndexOf } from "../contract/machine-event.js"
import { linksOf } from "../data/linked-list.js"
import type { GraphContext, GraphInput } from "./graph-context.js"
import { getNode, setPaused, locationOf, reportGraphPaused, setRunning } from "./graph-context.js"
import { startNodes, followEdges, joinGraph, recordTurn } from "./graph-nodes.js"
import { graphIndex } from "./graph-progress.js"
import type { GraphOutput } from "./graph-turns.js"
import { turnOfNode } from "./graph-turns.js"
import { firstWrites } from "./graph-writes.js"
import type { Outcome } from "../contract/run-event.js"
import { patchOf, stateFrom } from "../data/session-state.js"
import type { MachineKind } from "../contract/machine-kind.js"

/**
 * The guards and actions of the XState config `workflowGraphConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const workflowGraphKind: MachineKind<GraphContext, GraphInput, GraphOutput> = {
  contextFrom: (input, chart) => ({
    input,
    index: graphIndex(input.graph),
    rules: chart.settings.stateMerge,
    at: input.at,
    ordinal: 0,
    arrivals: [],
    running: { count: 0, paused: 0, byNode: input.graph.nodes.map(() => null) },
    ends: null,
    startCounts: stateFrom({}),
    writes: firstWrites(input.state),
    output: null,
    text: null,
    newEntries: null,
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
    graphFinished: (context) =>
      context.ending === null && context.running.count === 0 && context.arrivals.length === 0,
    joinFailed: (context) => context.error !== null,
  },

  updates: {
    startGraph: (context, _event, _params, step) => {
      step.emit({ type: "agent.started", kind: "Workflow", ...locationOf(context.input) })
      const userContent =
        context.input.prompt.findLast(({ role }) => role === "user")?.content ?? null
      followEdges(
        context,
        context.index.starting,
        { output: userContent, writes: context.writes, route: null, from: "START" },
        step,
      )
      startNodes(context, step)
    },
    recordNode: (context, event, _params, step) => {
      const node = doneIndexOf(event, "node.")
      const run = context.running.byNode[node] ?? null
      if (run === null) return
      setRunning(context, node, null)
      const turn = turnOfNode(getNode(context, node), event["output"], run.writes.state, step)
      recordTurn(context, run, turn, step)
      startNodes(context, step)
      reportGraphPaused(context, step)
    },
    setNodePaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      setPaused(context, childOf(event), true, step)
    },
    setNodeResumed: (context, event, _params, step) =>
      setPaused(context, childOf(event), false, step),
    stopGraph: (context, event, _params, step) => {
      context.at = timeOf(event)
      joinGraph(context, step)
    },
    joinGraph: (context, _event, _params, step) => joinGraph(context, step),
    finishGraph: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      step.emit({
        type: "agent.finished",
        kind: "Workflow",
        outcome: params.signal,
        text: context.text,
        ...locationOf(context.input),
      })
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
    newEntries: linksOf(context.newEntries).flat(),
    escalates: context.escalates,
    ...(context.escalates && { escalatedInside: true }),
    at: context.at,
  }),

  pending: () => [],
}
