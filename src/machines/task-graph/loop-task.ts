import { childOf, outputOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { NodeRequest } from "../contract/graphs/node-service.js"
import type { ChartLoop } from "../contract/graphs/chart-task-graph.js"
import type { Envelope } from "../contract/services.js"
import { isJsonObject } from "../data/json-object.js"
import { stateFrom } from "../data/session-state.js"
import { failedResult, resultOfFailure } from "./task-failure.js"
import { collectChildren, recordChild, startChildren, startNextAttempt } from "./loop-children.js"
import type { LoopTaskContext } from "./loop-context.js"
import { reportLoopPaused } from "./loop-context.js"
import type { TaskInput, TaskOutput, TaskSignal } from "./task-contract.js"
import { nodeScope, taskLocation } from "./task-contract.js"
import type { TaskGraphOutput } from "./task-graph-context.js"

/** Maximum number of items in one loop of a Graph Compose graph. */
const maxItems = 10_000

type Context = LoopTaskContext

/**
 * The guards and actions of the XState config `loopTaskConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const loopTaskKind: MachineKind<Context, TaskInput, TaskOutput> = {
  contextFrom: (input) => ({
    input,
    loop: input.task.loop as ChartLoop,
    at: input.at,
    items: [],
    raw: undefined,
    next: 0,
    active: 0,
    pausedChildren: 0,
    paused: false,
    ended: null,
    failures: 0,
    attempts: stateFrom({}),
    stoppedBy: null,
    isRunEnding: false,
    result: null,
    signal: "stopped",
  }),

  guards: {
    isFailed: ({ result }) => result?.error !== undefined,
    isStoppedWithRun: (_context, event) => outputOf<TaskOutput>(event).signal === "stopped",
    childrenFinished: ({ active, next, items, stoppedBy, isRunEnding }) =>
      !isRunEnding && active === 0 && (stoppedBy !== null || next === items.length),
  },

  updates: {
    readItems: (context, _event, _params, step) => readItems(context, step),
    recordItems: (context, event) => {
      const envelope = outputOf<Envelope>(event)
      const { id } = context.input.task
      context.at = envelope.at
      if (!envelope.ok) context.result = failedResult(envelope.error, undefined)
      else if (!Array.isArray(envelope.value))
        context.result = resultOfFailure(
          "items_not_an_array",
          `the items of the forEach node "${id}" are not an array, but ${nameOfValue(envelope.value)}: ${context.loop.items ?? ""}. If the expression can return a single value, add the suffix [] to it`,
        )
      else setItems(context, envelope.value)
    },
    recordRequest: (context, event) => {
      const { signal, result, at } = outputOf<TaskOutput>(event)
      const { id } = context.input.task
      context.at = at
      const data = result?.data
      context.raw = data
      if (signal === "failed" || result === null) {
        context.result = result
        return
      }
      const items = isJsonObject(data) ? data["items"] : undefined
      if (Array.isArray(items) && items.every((item) => isJsonObject(item)))
        setItems(context, items)
      else
        context.result = resultOfFailure(
          "malformed",
          `the response to the source_iterator "${id}" must be {"items": [...]} with a list of objects`,
          result,
        )
    },
    expandLoop: (context, _event, _params, step) => {
      const { input, items } = context
      const node = input.task.id
      step.emit({ type: "forEach.expanded", node, count: items.length, ...taskLocation(input) })
    },
    startChildren: (context, _event, _params, step) => startChildren(context, step),
    recordChild: (context, event, _params, step) => {
      const [kind, number] = (event["actorId"] as string).split(".")
      const index = Number(number)
      if (kind === "pause") startNextAttempt(context, index, outputOf<Envelope>(event).at, step)
      else recordChild(context, index, outputOf<TaskGraphOutput>(event), step)
      startChildren(context, step)
      reportLoopPaused(context, step)
    },
    setChildPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      if (!childOf(event).startsWith("child.")) return
      context.pausedChildren = context.pausedChildren + 1
      reportLoopPaused(context, step)
    },
    setChildResumed: (context, _event, _params, step) => {
      context.pausedChildren = context.pausedChildren - 1
      reportLoopPaused(context, step)
    },
    collectChildren: (context) => collectChildren(context),
    stopTask: (context, event) => {
      context.at = timeOf(event)
    },
    finishTask: (context, _event, params: { signal: TaskSignal }) => {
      context.signal = params.signal
    },
  },

  childInput: () => ({}),

  output: ({ signal, result, at }) => ({
    signal,
    result: signal === "stopped" ? null : result,
    terminates: false,
    chosen: [],
    text: null,
    at,
  }),

  pending: () => [],
}

const nameOfValue = (value: unknown): string =>
  value === null ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`

function readItems({ input, loop }: Context, step: Step): void {
  if (loop.items === undefined) return step.start("request", "httpTask", input)
  const { runId, path, task, at, scope } = input
  const request: NodeRequest = {
    runId,
    ...taskLocation(input),
    idempotencyKey: `${runId}/${path}#0`,
    attempt: 1,
    node: task.id,
    endpoint: null,
    scope: nodeScope(scope),
    strict: false,
    startedAt: at,
    task: { type: "fill", value: loop.items },
  }
  step.start("items", "callNode", { request, timeoutMs: null, deadline: null })
}

function setItems(context: Context, items: readonly unknown[]): void {
  context.items = items
  if (items.length > maxItems)
    context.result = resultOfFailure(
      "too_many_items",
      `the loop "${context.input.task.id}" has ${items.length} items; the limit is ${maxItems}`,
    )
}
