import type { ChartGraphNode } from "../contract/chart-graph.js"
import type { History } from "../contract/history.js"
import type { LinkedList } from "../data/linked-list.js"
import { linksOf } from "../data/linked-list.js"
import { childOf, doneIndexOf, outputOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { NodeFailure, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput } from "../contract/turn.js"
import type { SessionState } from "../data/session-state.js"
import { applyPatch, forkState, patchOf } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import { textOf } from "./graph-turns.js"
import type { NodeValue } from "./node-result.js"
import type { NodeRunInput, NodeRunOutput } from "./node-run-context.js"

/**
 * Input of a ParallelWorker, which runs `node` once for each item. `inputValue` contains the list
 * of items. At most `most` items run at the same time.
 */
export type ParallelWorkerInput = TurnInput & {
  readonly node: ChartGraphNode
  readonly inputValue: NodeValue
  readonly most: number
  readonly subAgentExitFlow?: "agent"
}

interface ItemResult {
  readonly index: number
  readonly value: unknown
  readonly newEntries: History
}

interface ParallelWorkerContext {
  readonly input: ParallelWorkerInput
  readonly items: readonly unknown[]
  at: number
  state: SessionState
  next: number
  running: number
  /** Indexes of the running items that wait for people. */
  waiting: readonly number[]
  results: LinkedList<ItemResult> | null
  paused: boolean
  /**
   * Whether the run is ending and has stopped running items. In this case, no further item starts.
   */
  isStopping: boolean
  /**
   * Outcome of the item that ended the ParallelWorker before all items were done. null if no item
   * has ended it.
   */
  ending: "failed" | "limited" | "exited" | null
  signal: Outcome | null
  failure: NodeFailure | null
  error: RunError | null
}

type Context = ParallelWorkerContext

/**
 * Returns the list of items of a ParallelWorker. If the input is not a list, it is the only item.
 */
const itemsOf = ({ value }: NodeValue): readonly unknown[] =>
  Array.isArray(value) ? value : [value]

/**
 * The guards and actions of the XState config `parallelWorkerConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const parallelWorkerKind: MachineKind<Context, ParallelWorkerInput, NodeRunOutput> = {
  contextFrom: (input) => ({
    input,
    items: itemsOf(input.inputValue),
    at: input.at,
    state: forkState(input.state),
    next: 0,
    running: 0,
    waiting: [],
    results: null,
    paused: false,
    isStopping: false,
    ending: null,
    signal: null,
    failure: null,
    error: null,
  }),

  guards: {
    endsAs: ({ ending }, _event, { signal }: { signal: Outcome }) => ending === signal,
    allItemsDone: ({ isStopping, running, next, items }) =>
      !isStopping && running === 0 && next === items.length,
  },

  updates: {
    startItems: (context, _event, _params, step) => startItems(context, step),
    recordItem: (context, event, _params, step) => {
      const index = doneIndexOf(event, "item.")
      const { signal, result, patch, newEntries, error, failure, at } =
        outputOf<NodeRunOutput>(event)
      context.at = at
      context.running = context.running - 1
      context.waiting = context.waiting.filter((one) => one !== index)
      context.state = applyPatch(context.state, patch)
      if (signal === "stopped") context.isStopping = true
      else if (
        signal === "done" ||
        (signal === "exited" && context.input.subAgentExitFlow === "agent")
      ) {
        const link: ItemResult = { index, value: result.value ?? null, newEntries }
        context.results = { link, before: context.results }
        startItems(context, step)
      } else {
        context.ending = signal === "limited" || signal === "exited" ? signal : "failed"
        context.failure = failure
        context.error = error
        for (let other = 0; other < context.next; other++) step.stop(`item.${other}`)
      }
      reportWorkerPaused(context, step)
    },
    setItemPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      context.waiting = [...context.waiting, indexOf(childOf(event))]
      reportWorkerPaused(context, step)
    },
    setItemResumed: (context, event, _params, step) => {
      const index = indexOf(childOf(event))
      context.waiting = context.waiting.filter((one) => one !== index)
      reportWorkerPaused(context, step)
    },
    stopWorker: (context, event) => {
      context.at = timeOf(event)
    },
    finishWorker: (context, _event, { signal }: { signal: Outcome }) => {
      context.signal = signal
    },
  },

  childInput: () => ({}),

  output: ({ signal, state, results, error, failure, at }) => {
    const inOrder = [...linksOf(results)].sort((one, other) => one.index - other.index)
    const value = inOrder.map((one) => one.value)
    const isDone = signal === "done"
    const text = isDone ? textOf(value) : null
    return {
      signal: signal ?? "stopped",
      text,
      lastText: text,
      patch: patchOf(state),
      handoffTo: null,
      error,
      answeredByTool: false,
      memory: null,
      newEntries: inOrder.flatMap(({ newEntries }) => newEntries),
      escalates: false,
      at,
      result: isDone ? { value } : {},
      route: null,
      failure,
    }
  },

  pending: () => [],
}

const indexOf = (child: string): number => Number(child.slice("item.".length))

function startItems(context: Context, step: Step): void {
  const { items, input } = context
  const { node, inputValue: _given, most, ...turn } = input
  while (!context.isStopping && context.running < most && context.next < items.length) {
    const index = context.next
    const value = items[index]
    const run: NodeRunInput = {
      ...turn,
      agent: node.id,
      path: `${input.path}/${node.id}${index === 0 ? "" : `[${index}]`}`,
      state: context.state,
      at: context.at,
      node,
      inputValue: value === undefined ? {} : { value },
    }
    context.next = index + 1
    context.running = context.running + 1
    step.start(`item.${index}`, "nodeRun", run)
  }
}

const reportWorkerPaused = (context: Context, step: Step): void =>
  reportPaused(context, context.running > 0 && context.waiting.length === context.running, step)
