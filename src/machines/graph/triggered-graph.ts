import { appendHistory, entriesSince } from "../contract/history.js"
import type { MachineKind } from "../contract/machine-kind.js"
import { childOf, doneIndexOf, outputOf, timeOf } from "../contract/machine-event.js"
import type { Outcome } from "../contract/run-event.js"
import { applyPatch, forkState, patchOf } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import { graphIndex } from "./graph-progress.js"
import { textOf } from "./graph-turns.js"
import type { NodeRunOutput } from "./node-run-context.js"
import type { Step } from "../contract/machine-kind.js"
import { routeTexts } from "./node-result.js"
import type { TriggeredGraphContext, TriggeredGraphInput } from "./triggered-graph-context.js"
import { graphLocation, nodeAt } from "./triggered-graph-context.js"
import { edgesToFollow, startTriggered, trigger } from "./triggers.js"

type Context = TriggeredGraphContext

/**
 * The guards and actions of the XState config `triggeredGraphConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const triggeredGraphKind: MachineKind<Context, TriggeredGraphInput, NodeRunOutput> = {
  contextFrom: (input) => ({
    input,
    index: graphIndex(input.graph),
    at: input.at,
    state: forkState(input.state),
    history: input.history,
    waiting: [],
    running: input.graph.nodes.map(() => null),
    runningCount: 0,
    pausedCount: 0,
    startCounts: input.graph.nodes.map(() => 0),
    completed: input.graph.nodes.map(() => null),
    result: {},
    paused: false,
    isStopping: false,
    ending: null,
    signal: null,
    failure: null,
    error: null,
  }),

  guards: {
    endsAs: ({ ending }, _event, { signal }: { signal: Outcome }) => ending === signal,
    graphFinished: ({ ending, isStopping, runningCount, waiting }) =>
      ending === null && !isStopping && runningCount === 0 && waiting.length === 0,
    hasError: ({ error }) => error !== null,
  },

  updates: {
    startGraph: (context, _event, _params, step) => {
      step.emit({ type: "agent.started", kind: "Workflow", ...graphLocation(context) })
      const start = { id: "START", route: null }
      trigger(context, context.index.starting, context.input.inputValue, start, step)
      startTriggered(context, step)
    },
    recordNode: (context, event, _params, step) => {
      const index = doneIndexOf(event, "node.")
      const run = context.running[index]
      if (run == null) return
      context.running = context.running.with(index, null)
      context.runningCount = context.runningCount - 1
      if (run.isPaused) context.pausedCount = context.pausedCount - 1
      recordNode(context, index, outputOf<NodeRunOutput>(event), step)
      startTriggered(context, step)
      if (context.ending !== null) stopRunning(context, step)
      reportGraphPaused(context, step)
    },
    setNodePaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      setPaused(context, childOf(event), true, step)
    },
    setNodeResumed: (context, event, _params, step) =>
      setPaused(context, childOf(event), false, step),
    stopGraph: (context, event) => {
      context.at = timeOf(event)
    },
    collectOutput: (context) => collectOutput(context),
    finishGraph: (context, _event, { signal }: { signal: Outcome }, step) => {
      context.signal = signal
      step.emit({
        type: "agent.finished",
        kind: "Workflow",
        outcome: signal,
        text: textOf(context.result.value),
        ...graphLocation(context),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => {
    const { input, history, result } = context
    const text = textOf(result.value)
    return {
      signal: context.signal ?? "stopped",
      text,
      lastText: text,
      patch: patchOf(context.state),
      handoffTo: null,
      error: context.error,
      answeredByTool: false,
      memory: null,
      newEntries: history === null ? [] : entriesSince(history, input.history?.length ?? 0),
      escalates: false,
      at: context.at,
      result,
      route: null,
      failure: context.failure,
    }
  },

  pending: () => [],
}

/**
 * Applies the result of a finished node to the graph. If the graph continues, requests a run of the
 * target node of each followed edge.
 */
function recordNode(context: Context, index: number, output: NodeRunOutput, step: Step): void {
  const { signal, patch, newEntries, result, route, at } = output
  const node = nodeAt(context, index)
  context.at = at
  context.state = applyPatch(context.state, patch)
  if (context.history !== null) context.history = appendHistory(context.history, newEntries)
  const exits = signal === "exited" && context.input.graph.subAgentExitFlow !== "agent"
  if (signal === "stopped") {
    context.isStopping = true
    return
  }
  if (signal === "failed" || signal === "limited" || exits) {
    context.ending ??= signal
    context.error ??= output.error
    context.failure ??= output.failure
    return
  }
  context.completed = context.completed.with(index, result)
  const isSilent = result.value === undefined && routeTexts(route).length === 0
  if (isSilent && node.options?.waitForOutput === true) return
  const { edges, isUnmatched } = edgesToFollow(context, index, route)
  const [first = null] = routeTexts(route)
  if (isUnmatched)
    step.emit({
      type: "warning",
      message: `the node "${node.id}" chose the route ${routeTexts(route)
        .map((text) => `"${text}"`)
        .join(
          ", ",
        )}, but it has no edge with this route and no default edge; the path ends at "${node.id}"`,
      ...graphLocation(context),
    })
  trigger(context, edges, result, { id: node.id, route: first }, step)
}

/**
 * Sets the output of the graph to the output of the node without outgoing edges. If several of
 * these nodes have an output, sets an error.
 */
function collectOutput(context: Context): void {
  const ends = context.completed.flatMap((result, index) =>
    result?.value !== undefined && (context.index.outgoing[index] ?? []).length === 0
      ? [{ id: nodeAt(context, index).id, result }]
      : [],
  )
  const [only] = ends
  if (ends.length > 1) {
    const message = `multiple terminal nodes produced output: ${ends.map(({ id }) => `"${id}"`).join(", ")} of "${context.input.agent}"; change their edges so that they lead to a single node`
    context.error = { code: "host_code_failed", agent: context.input.agent, message }
    context.failure = { name: "Error", message }
  } else if (only !== undefined) context.result = only.result
}

function stopRunning(context: Context, step: Step): void {
  for (const [index, run] of context.running.entries()) if (run !== null) step.stop(`node.${index}`)
  context.running = context.running.map(() => null)
  context.runningCount = 0
  context.pausedCount = 0
  context.waiting = []
}

function setPaused(context: Context, child: string, isPaused: boolean, step: Step): void {
  const index = Number(child.slice("node.".length))
  const run = context.running[index]
  if (run == null || run.isPaused === isPaused) return
  context.running = context.running.with(index, { isPaused })
  context.pausedCount = context.pausedCount + (isPaused ? 1 : -1)
  reportGraphPaused(context, step)
}

/**
 * Notifies the parent machine when all running nodes wait for people, and again when one of them
 * continues.
 */
function reportGraphPaused(context: Context, step: Step): void {
  const { runningCount, pausedCount } = context
  reportPaused(context, runningCount > 0 && pausedCount === runningCount, step)
}
