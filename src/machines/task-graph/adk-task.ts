import { expiryTime, type Deadline } from "../requests/expiry.js"
import { graphEntry } from "../contract/graphs/graph-values.js"
import type { AgentChart } from "../contract/agent-chart.js"
import { outputOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { NodeScope } from "../data/node-scope.js"
import type { NodeRequest } from "../contract/graphs/node-service.js"
import type { Envelope } from "../contract/services.js"
import type { TurnOutput } from "../contract/turn.js"
import { rootTurnInput } from "../containers/root-input.js"
import { applyPatch, stateFrom, toObject } from "../data/session-state.js"
import { counterKeys, systemKey } from "../data/system-keys.js"
import { sendPaused, sendResumed } from "../requests/report-paused.js"
import { failedResult } from "./task-failure.js"
import type { TaskInput, TaskOutput, TaskResult, TaskSignal } from "./task-contract.js"
import { nodeScope, taskLocation } from "./task-contract.js"

/**
 * The XState config of an adk node of a Graph Compose graph (docs/semantics.md#adk-nodes). It fills
 * the templates of the node's input and then runs the workflow of the node as a child actor.
 */
export const adkTaskConfig = {
  id: "adkTask",
  initial: "starting",
  on: { "run.stopped": [{ target: "#adkTask.stopped", actions: [{ type: "stopTask" }] }] },
  states: {
    starting: { always: [{ target: "#adkTask.filling" }] },
    filling: {
      entry: [{ type: "fillInput" }],
      on: {
        "xstate.done.actor.fill": [
          { target: "#adkTask.filled", actions: [{ type: "recordInput" }] },
        ],
      },
    },
    filled: {
      always: [
        { guard: { type: "isFailed" }, target: "#adkTask.failed" },
        { target: "#adkTask.running" },
      ],
    },
    running: {
      entry: [{ type: "startWorkflow" }],
      on: {
        "child.paused": [{ actions: [{ type: "notePause" }] }],
        "child.resumed": [{ actions: [{ type: "noteResume" }] }],
        "conversations.ended": [
          { guard: { type: "isPaused" }, actions: [{ type: "endConversations" }] },
        ],
        "xstate.done.actor.timeout": [{ actions: [{ type: "passTimeout" }] }],
        "xstate.done.actor.limit": [{ actions: [{ type: "passLimit" }] }],
        "xstate.done.actor.workflow": [
          { guard: { type: "isStoppedWithRun" }, actions: [] },
          { target: "#adkTask.ended", actions: [{ type: "recordWorkflow" }] },
        ],
      },
    },
    ended: {
      always: [
        { guard: { type: "isFailed" }, target: "#adkTask.failed" },
        { target: "#adkTask.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishTask", params: { signal: "executed" } }] },
    failed: { type: "final", entry: [{ type: "finishTask", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishTask", params: { signal: "stopped" } }] },
  },
} as const

interface AdkTaskContext {
  readonly input: TaskInput
  readonly scope: NodeScope
  at: number
  /**
   * The workflow's prompt and initial state, with their templates filled. An empty object until the
   * templates are filled.
   */
  filled: { readonly prompt?: unknown; readonly state?: Readonly<Record<string, unknown>> }
  paused: boolean
  /**
   * The reason why the node has stopped its workflow. `timeout` and `limit`: a maximum duration is
   * exceeded. `ended`: the conversations of the run were ended while the workflow waited for a
   * person. null if the node has not stopped it.
   */
  ending: "timeout" | "limit" | "ended" | null
  result: TaskResult | null
  text: string | null
  signal: TaskSignal
}

type Context = AdkTaskContext

/**
 * Returns the chart of the workflow that an adk node runs, or undefined if the chart does not
 * contain it.
 */
const chartOf = ({ input: { task } }: Context, chart: AgentChart): AgentChart | undefined =>
  chart.charts?.[task.workflow?.chart ?? ""]

export const adkTaskKind: MachineKind<Context, TaskInput, TaskOutput> = {
  contextFrom: (input) => ({
    input,
    scope: nodeScope(input.scope),
    at: input.at,
    filled: {},
    paused: false,
    ending: null,
    result: null,
    text: null,
    signal: "stopped",
  }),

  guards: {
    isFailed: ({ result }) => result?.error !== undefined,
    isPaused: ({ paused, ending }) => paused && ending === null,
    isStoppedWithRun: ({ ending }, event) =>
      ending === null && outputOf<TurnOutput>(event).signal === "stopped",
  },

  updates: {
    fillInput: (context, _event, _params, step) => {
      const { input, scope } = context
      const { prompt = null, state = {} } = input.task.workflow ?? {}
      const request: NodeRequest = {
        runId: input.runId,
        ...taskLocation(input),
        idempotencyKey: `${input.runId}/${input.path}#0`,
        attempt: 1,
        node: input.task.id,
        endpoint: null,
        scope,
        strict: input.task.strict === true,
        startedAt: input.at,
        task: { type: "fill", value: { ...(prompt !== null && { prompt }), state } },
      }
      step.start("fill", "callNode", { request, timeoutMs: null, deadline: null })
    },
    recordInput: (context, event) => {
      const envelope = outputOf<Envelope<Context["filled"]>>(event)
      context.at = envelope.at
      if (envelope.ok) context.filled = envelope.value
      else context.result = failedResult(envelope.error, undefined)
    },
    startWorkflow: (context, _event, _params, step) => {
      const { input, filled, at, scope } = context
      const { task, runId, path, branch } = input
      const chart = chartOf(context, step.chart)
      if (chart === undefined || task.workflow === undefined) return
      const { timeoutMs, maxDurationMs } = task.workflow
      startTimer(step, "timeout", input, timeoutMs)
      startTimer(step, "limit", { ...input, at }, maxDurationMs)
      const given = rootTurnInput(
        { prompt: promptOf(filled.prompt), state: filled.state ?? {} },
        chart,
        runId,
        at,
      )
      step.start("workflow", `${task.workflow.chart}/${chart.root}`, {
        ...given,
        path: `${path}/${given.agent}`,
        branch,
        state: applyPatch(given.state, { set: graphEntry(scope), removed: [] }),
      })
    },
    notePause: (context, event, _params, step) => {
      context.at = timeOf(event)
      context.paused = true
      sendPaused(step, context.at)
    },
    noteResume: (context, _event, _params, step) => {
      context.paused = false
      sendResumed(step)
    },
    endConversations: (context, event, _params, step) => {
      context.at = timeOf(event)
      context.ending = "ended"
      step.interrupt("workflow", context.at)
    },
    passTimeout: (context, event, _params, step) => {
      context.at = expiryTime(event)
      context.ending ??= "timeout"
      step.interrupt("workflow", context.at)
    },
    passLimit: (context, event, _params, step) => {
      context.at = expiryTime(event)
      context.ending ??= "limit"
      step.interrupt("workflow", context.at)
    },
    recordWorkflow: (context, event) => recordWorkflow(context, outputOf<TurnOutput>(event)),
    stopTask: (context, event) => {
      context.at = timeOf(event)
    },
    finishTask: (context, _event, params: { signal: TaskSignal }) => {
      context.signal = params.signal
    },
  },

  childInput: () => ({}),

  output: ({ signal, result, text, at }) => ({
    signal,
    result: signal === "stopped" ? null : result,
    terminates: false,
    chosen: [],
    text,
    at,
  }),

  pending: () => [],
}

function startTimer(
  step: Step,
  child: string,
  { at, path }: TaskInput,
  ms: number | undefined,
): void {
  if (ms === undefined) return
  const deadline: Deadline = { until: at + ms, awaits: path }
  step.start(child, "sleepUntil", deadline)
}

const promptOf = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : typeof value === "string"
      ? value
      : JSON.stringify(value)

function recordWorkflow(context: Context, output: TurnOutput): void {
  const { input, ending } = context
  const { task, scope } = input
  const entries = toObject(applyPatch(stateFrom({}), output.patch))
  const cycles = entries[systemKey.cycleCount]
  for (const key of counterKeys) delete entries[key]
  const late = ending === "timeout"
  const failed = late || output.signal === "failed"
  const message = late
    ? `the adk node "${task.id}" was not finished in time: its activityConfig allows ${task.workflow?.timeoutMs ?? 0} ms`
    : (output.error?.message ?? `the workflow of the adk node "${task.id}" failed`)
  context.at = output.at
  context.text = output.lastText
  context.result = {
    data: {
      workflow_id: `adk-${scope.workflowId}-${task.id}`,
      final_response_text: output.lastText,
      session_state: entries,
      error_details: failed ? message : null,
      orchestration_cycle_count: typeof cycles === "number" ? cycles : 1,
      terminated_by_global_limit: output.signal === "limited" || ending === "limit",
    },
    ...(failed && { error: { message, type: late ? "timeout" : "agent_failed" } }),
  }
}
