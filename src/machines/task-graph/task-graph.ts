import type { Deadline } from "../requests/expiry.js"
import { expiryTime } from "../requests/expiry.js"
import { childOf, doneIndexOf, outputOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { Envelope } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { emptyPatch, forkState, patchOf, readKey, stateFrom } from "../data/session-state.js"
import { hasWebhook, notifyOfEnd, recordPost } from "./notifications.js"
import { recordTask, startTasks } from "./run-tasks.js"
import type { TaskOutput, TaskScope } from "./task-contract.js"
import type {
  ChildWorkflowInput,
  TaskGraphContext,
  TaskGraphInput,
  TaskGraphOutput,
} from "./task-graph-context.js"
import {
  changeProgress,
  errorOf,
  isChild,
  ownResults,
  progressOf,
  reportGraphPaused,
  runState,
} from "./task-graph-context.js"
import { initialProgress } from "./task-progress.js"

/**
 * Returns the variables that the templates of all nodes can read at the start of a run. `context`
 * comes from the initial state of the run.
 */
const scopeOfRun = ({ runId, state }: TaskGraphInput): TaskScope => ({
  context: (readKey(state, "context") as JsonObject | undefined) ?? {},
  results: stateFrom({}),
  row: null,
  rows: {},
  workflowId: runId,
})

/**
 * The guards and actions of the XState config `taskGraphConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const taskGraphKind: MachineKind<
  TaskGraphContext,
  TaskGraphInput | ChildWorkflowInput,
  TaskGraphOutput
> = {
  contextFrom: (input) => {
    const scope = "scope" in input ? input.scope : scopeOfRun(input)
    return {
      input,
      scope,
      at: input.at,
      progress: initialProgress(input.graph),
      running: 0,
      paused: false,
      pausedNodes: 0,
      unsettled: input.graph.nodes.length,
      results: "scope" in input ? forkState(scope.results) : scope.results,
      executed: null,
      text: null,
      handled: {},
      ending: null,
      failure: null,
      stoppedBy: null,
      signal: "stopped",
      notifications: [],
      posted: 0,
    }
  },

  guards: {
    graphEnded: ({ ending, unsettled }) => ending !== null || unsettled === 0,
    isNotifying: ({ notifications }) => notifications.length > 0,
    graphFailed: ({ ending }) => ending === "failed",
    graphStopped: ({ ending }) => ending === "stopped",
    postsItsEnd: hasWebhook,
  },

  updates: {
    startGraph: (context, _event, _params, step) => {
      const { input } = context
      if ("timeoutMs" in input && input.timeoutMs !== null) {
        const deadline: Deadline = { until: input.at + input.timeoutMs, awaits: input.path }
        step.start("timeout", "sleepUntil", deadline)
      }
      const ready = context.progress.flatMap(({ awaited }, node) => (awaited === 0 ? [node] : []))
      startTasks(context, ready, step)
      reportGraphPaused(context, step)
    },
    recordTask: (context, event, _params, step) => {
      recordTask(context, doneIndexOf(event, "node."), outputOf<TaskOutput>(event), step)
      reportGraphPaused(context, step)
    },
    passTimeout: (context, event) => {
      const { path } = context.input
      context.at = expiryTime(event)
      context.ending = "failed"
      context.failure = {
        message: `the child workflow "${path}" has taken longer than its workflowExecutionTimeout`,
        type: "timeout",
        nodeId: null,
      }
    },
    setTaskPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      setPaused(context, childOf(event), true)
      reportGraphPaused(context, step)
    },
    setTaskResumed: (context, event, _params, step) => {
      setPaused(context, childOf(event), false)
      reportGraphPaused(context, step)
    },
    stopGraph: (context, event) => {
      context.at = timeOf(event)
      context.ending = "stopped"
      context.stoppedBy = (event["error"] as RunError | undefined) ?? null
    },
    /** Stops the running nodes after the graph has ended, and notifies the webhook of the end. */
    closeGraph: (context, _event, _params, step) => {
      for (const [node, { state }] of context.progress.entries())
        if (state === "running") step.stop(`node.${node}`)
      step.stop("timeout")
      endTasks(context)
      notifyOfEnd(context, step)
    },
    recordPost: (context, event, _params, step) =>
      recordPost(context, outputOf<Envelope>(event), step),
    finishGraph: (context, _event, params: { signal: Outcome }) => {
      context.signal = params.signal
      endTasks(context)
    },
  },

  childInput: () => ({}),

  liveState: runState,

  output: (context) => ({
    signal: context.signal,
    text: context.text?.text ?? null,
    lastText: context.text?.text ?? null,
    patch: isChild(context) ? emptyPatch : patchOf(runState(context)),
    handoffTo: null,
    error: errorOf(context),
    answeredByTool: false,
    memory: null,
    newEntries: [],
    escalates: false,
    at: context.at,
    results: isChild(context) ? ownResults(context) : {},
    failure: context.failure,
  }),

  pending: () => [],
}

/**
 * Sets the state of running nodes to `terminated`, and of nodes that have not started to `skipped`.
 */
function endTasks(context: TaskGraphContext): void {
  context.progress = context.progress.map((progress) =>
    progress.state === "running"
      ? { ...progress, state: "terminated" }
      : progress.state === "pending"
        ? { ...progress, state: "skipped" }
        : progress,
  )
}

function setPaused(context: TaskGraphContext, child: string, isPaused: boolean): void {
  const node = Number(child.slice("node.".length))
  if (progressOf(context, node).isPaused === isPaused) return
  changeProgress(context, node, { isPaused })
  context.pausedNodes = context.pausedNodes + (isPaused ? 1 : -1)
}
