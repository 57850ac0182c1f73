import { activityIdOf } from "../../../../src/adapters/engine/temporal/names.js"
import type { RunOrder } from "../../../../src/runtime/engine/execute-run.js"
import type { EngineEvent } from "../../../../src/runtime/engine/engine.js"
import type { Command, Trace } from "./trace.js"

/** An event of a workflow history in the JSON format of the Temporal server. */
export interface HistoryEvent {
  readonly eventId: string
  readonly eventTime: string
  readonly eventType: string
  readonly [attributes: string]: unknown
}

const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** Returns values in the format in which Temporal stores them. */
export const payloads = (...values: readonly unknown[]): object => ({
  payloads: values.map((value) => ({
    metadata: { encoding: base64("json/plain") },
    data: base64(JSON.stringify(value ?? null)),
  })),
})

const taskQueue = { name: "agents", kind: "TASK_QUEUE_KIND_NORMAL" }

/** The metadata of a current worker. Its flags make replays compare the ids and kinds of calls, among others. */
const sdkMetadata = {
  coreUsedFlags: [1, 2],
  langUsedFlags: [1, 2],
  sdkName: "temporal-typescript",
  sdkVersion: "1.24.0",
}

export interface HistoryOptions {
  /**
   * Whether the n-th event belongs to the task of the event before it, if possible. This happens if
   * both arrive while no worker is free.
   */
  readonly together?: (turn: number) => boolean
  /** Whether a `cancel` message is stored as Temporal's own cancellation of the workflow. */
  readonly cancelledByTemporal?: boolean
}

/**
 * Returns the history that a server would have of a run: each event, its workflow task, and the
 * commands of the worker in this task.
 */
export function historyOf(
  order: RunOrder,
  { turns, result, refusal }: Trace,
  { together = () => false, cancelledByTemporal = false }: HistoryOptions = {},
): readonly HistoryEvent[] {
  const events: HistoryEvent[] = []
  /** The history event that started each call, by the number of the call. */
  const begun = new Map<number, { readonly event: string; readonly id: string }>()
  let [activities, timers] = [0, 0]
  let time = order.at
  let task: { readonly scheduled: string; readonly started: string } = {
    scheduled: "",
    started: "",
  }

  const add = (type: string, attributes: object): string => {
    const eventId = String(events.length + 1)
    const name = `${type[0]?.toLowerCase() ?? ""}${type.slice(1)}EventAttributes`
    const eventType = `EVENT_TYPE_${type.replace(/(?<=.)[A-Z]/g, "_$&").toUpperCase()}`
    events.push({
      eventId,
      eventTime: new Date(time).toISOString(),
      eventType,
      taskId: eventId,
      [name]: attributes,
    })
    return eventId
  }
  const beginTask = (): void => {
    const scheduled = add("WorkflowTaskScheduled", {
      taskQueue,
      startToCloseTimeout: "10s",
      attempt: 1,
    })
    task = {
      scheduled,
      started: add("WorkflowTaskStarted", {
        scheduledEventId: scheduled,
        identity: "test",
        requestId: `task-${scheduled}`,
      }),
    }
  }
  const endTask = (): string =>
    add("WorkflowTaskCompleted", {
      scheduledEventId: task.scheduled,
      startedEventId: task.started,
      identity: "test",
      sdkMetadata,
    })
  const schedule = (
    type: string,
    input: unknown,
    workflowTaskCompletedEventId: string,
    name: string | null = null,
  ): { readonly event: string; readonly id: string } => {
    const counted = String(++activities)
    const id = name ?? counted
    return {
      id,
      event: add("ActivityTaskScheduled", {
        activityId: id,
        activityType: { name: type },
        taskQueue,
        input: payloads(input),
        startToCloseTimeout: "300s",
        workflowTaskCompletedEventId,
      }),
    }
  }
  const complete = (scheduledEventId: string, value: unknown): void => {
    const startedEventId = add("ActivityTaskStarted", {
      scheduledEventId,
      identity: "test",
      requestId: `activity-${scheduledEventId}`,
      attempt: 1,
    })
    add("ActivityTaskCompleted", {
      result: payloads(value),
      scheduledEventId,
      startedEventId,
      identity: "test",
    })
  }
  const command = (one: Command, ended: string): void => {
    if ("begin" in one) {
      const { begin } = one
      if (begin.src !== "sleepUntil")
        return void begun.set(begin.n, schedule(begin.src, begin, ended, activityIdOf(begin)))
      const timerId = String(++timers)
      const { until } = begin.input as { readonly until: number }
      begun.set(begin.n, {
        id: timerId,
        event: add("TimerStarted", {
          timerId,
          startToFireTimeout: `${Math.max(until - time, 1) / 1_000}s`,
          workflowTaskCompletedEventId: ended,
        }),
      })
    } else {
      const { event = "", id = "" } = begun.get(one.stop.n) ?? {}
      if (one.stop.src === "sleepUntil")
        add("TimerCanceled", {
          timerId: id,
          startedEventId: event,
          workflowTaskCompletedEventId: ended,
          identity: "test",
        })
      else
        add("ActivityTaskCancelRequested", {
          scheduledEventId: event,
          workflowTaskCompletedEventId: ended,
        })
    }
  }
  const happen = (happening: EngineEvent): void => {
    if ("message" in happening && cancelledByTemporal && happening.message.type === "cancel")
      add("WorkflowExecutionCancelRequested", { cause: "", identity: "test" })
    else if ("message" in happening)
      add("WorkflowExecutionSignaled", {
        signalName: "message",
        input: payloads(happening.message),
        identity: "test",
        header: {},
      })
    else {
      const { event = "", id = "" } = begun.get(happening.n) ?? {}
      if (isTimer(happening.n)) add("TimerFired", { timerId: id, startedEventId: event })
      else complete(event, happening.result)
    }
  }
  const pauses = new Set(
    turns
      .flatMap(({ commands }) => commands)
      .flatMap((one) => ("begin" in one && one.begin.src === "sleepUntil" ? [one.begin.n] : [])),
  )
  const isTimer = (n: number): boolean => pauses.has(n)

  add("WorkflowExecutionStarted", {
    workflowType: { name: "runAgents" },
    taskQueue,
    input: payloads(order),
    workflowTaskTimeout: "10s",
    originalExecutionRunId: `run-of-${order.runId}`,
    firstExecutionRunId: `run-of-${order.runId}`,
    identity: "test",
    attempt: 1,
    firstWorkflowTaskBackoff: "0s",
    header: {},
  })
  beginTask()
  const services = schedule("missingServices", order.chart, endTask())
  complete(services.event, refusal)
  let commands: readonly Command[] = []
  turns.forEach(({ happening, commands: ordered }, turn) => {
    if (happening !== null) {
      time = "message" in happening ? happening.at : happening.result.at
      happen(happening)
    }
    commands = [...commands, ...ordered]
    const following = turns[turn + 1]?.happening
    // Temporal delivers signals first, and a call cannot end before it has started.
    const fits =
      happening !== null &&
      following != null &&
      ("message" in following ? "message" in happening : begun.has(following.n))
    if (fits && together(turn + 1)) return
    beginTask()
    const ended = endTask()
    for (const one of sent(commands)) command(one, ended)
    commands = []
    if (turn === turns.length - 1)
      add("WorkflowExecutionCompleted", {
        result: payloads(result),
        workflowTaskCompletedEventId: ended,
      })
  })
  return events
}

/**
 * Returns the commands that the SDK sends. A call that starts and stops in one task is never sent. The SDK cancels activities and
 * timers in a microtask, after the calls that the same event starts.
 */
function sent(commands: readonly Command[]): readonly Command[] {
  const stopped = new Set(commands.flatMap((one) => ("stop" in one ? [one.stop.n] : [])))
  const both = new Set(
    commands.flatMap((one) => ("begin" in one && stopped.has(one.begin.n) ? [one.begin.n] : [])),
  )
  const left = commands.filter((one) => !both.has("begin" in one ? one.begin.n : one.stop.n))
  return [...left.filter((one) => "begin" in one), ...left.filter((one) => "stop" in one)]
}
