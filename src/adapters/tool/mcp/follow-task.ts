import type { ElicitResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { HostContext } from "../../../runtime/host/host-function.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { answersTo, type ElicitingTool } from "./answer-forms.js"
import type { McpTask } from "./mcp-task.js"
import { orThrow, withFailure } from "./recorded-failure.js"
import type { TaskCanceller } from "./task-canceller.js"
import { resultOf } from "./tool-result.js"

/**
 * Functions that send requests for a task of an MCP server. A task is a tool call that the server
 * executes in the background.
 */
export interface TaskRequests {
  get(taskId: string): Promise<McpTask>
  /** Sends the answers to the task's open requests for input to the server. */
  update(taskId: string, inputResponses: Readonly<Record<string, ElicitResult>>): Promise<void>
  /** Cancels the task on the server. Never rejects, because the tool call has already ended. */
  cancel(taskId: string): Promise<void>
}

/**
 * Delays between two requests for the state of an MCP task, in milliseconds. The server can set
 * another delay, which must not be less than `min`.
 */
const pollInterval = { default: 1_000, min: 50 } as const

/** Maximum number of progress messages of an MCP task that are recorded. */
const maxMessages = 100

/**
 * Follows an MCP task until it ends and returns the result of the tool call. Each change of the
 * task is a recorded step and an event, so after a restart the same task is polled. The task's open
 * requests become pending requests of the run. If the call is stopped, the task is cancelled.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the task fails, is cancelled or expires
 */
export async function followTask(
  context: HostContext,
  tool: ElicitingTool,
  created: McpTask,
  { requests, canceller }: { requests: TaskRequests; canceller: TaskCanceller },
): Promise<unknown> {
  const { signal } = context
  const { name } = tool
  const { taskId } = created
  canceller.watch(taskId)
  try {
    const answered = new Set<string>()
    let task = created
    // The response that creates a task never contains its result or its requests.
    for (let n = 1; task === created || !hasEnded(task); n++) {
      const responses = await answersToTask(context, tool, { task, created, answered })
      if (responses !== null)
        orThrow(
          await context.step(`${name}: input ${n}`, () =>
            withFailure(requests.update(taskId, responses).then(() => null)),
          ),
        )
      const previous = task
      task = orThrow(
        await context.step(`${name}: task ${n}`, async () => {
          const isQuiet = n > maxMessages
          const polled = { created, previous, answered, signal, isQuiet }
          const next = await withFailure(nextChange(polled, requests))
          if ("value" in next) emitStatus(context, tool, next.value)
          return next
        }),
      )
    }
    return endOf(task, name)
  } finally {
    canceller.stop()
  }
}

const hasEnded = ({ status }: McpTask): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

/**
 * Emits an event with the state of an MCP task. Call this function inside a recorded step, so that
 * the event is emitted immediately.
 */
export function emitStatus(
  { emit }: HostContext,
  { name, server }: ElicitingTool,
  task: McpTask,
): void {
  const { taskId, status, statusMessage = null } = task
  emit("mcp.task", { server, tool: name, taskId, status, message: statusMessage })
}

/** Returns an MCP task's requests for input that were not answered, by key. */
const openRequests = (task: McpTask, answered: ReadonlySet<string>): JsonObject =>
  task.status !== "input_required"
    ? {}
    : Object.fromEntries(
        Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key)),
      )

interface OpenTask {
  readonly task: McpTask
  readonly created: McpTask
  readonly answered: Set<string>
}

/**
 * Asks a person for the input that an MCP task requires. Returns null if the task has no open
 * requests.
 */
async function answersToTask(
  context: HostContext,
  tool: ElicitingTool,
  { task, created, answered }: OpenTask,
): Promise<Readonly<Record<string, ElicitResult>> | null> {
  const open = openRequests(task, answered)
  const keys = Object.keys(open)
  if (keys.length === 0) return null
  // Only recorded times are used, so that a repeated function asks the same question.
  const left = deadlineOf(task, created) - task.receivedAt
  const expiresIn = Math.max(1, Math.min(left, tool.expiresIn ?? Infinity))
  const { name, server } = tool
  const asked = { name, server, ...(expiresIn !== Infinity && { expiresIn }) }
  const responses = await answersTo(context, asked, open)
  for (const key of keys) answered.add(key)
  return responses
}

/**
 * Returns the time after which the server may have deleted an MCP task, in milliseconds since the
 * epoch. The time is `Infinity` if the task has no time to live.
 */
const deadlineOf = ({ ttlMs }: McpTask, created: McpTask): number =>
  ttlMs === null ? Infinity : created.receivedAt + ttlMs

interface PolledTask {
  readonly created: McpTask
  readonly previous: McpTask
  readonly answered: ReadonlySet<string>
  readonly signal: AbortSignal
  /**
   * Whether progress messages are ignored. If true, polling only stops when the task requests input
   * or has ended.
   */
  readonly isQuiet: boolean
}

/** Polls an MCP task until it ends, needs input, or reports progress. Returns the new state. */
async function nextChange(
  { created, previous, answered, signal, isQuiet }: PolledTask,
  { get }: TaskRequests,
): Promise<McpTask> {
  let wait = previous === created && created.status !== "working" ? 0 : intervalOf(previous)
  for (;;) {
    await pause(wait, signal)
    const task = await get(created.taskId)
    const hasProgress =
      !isQuiet && task.statusMessage !== undefined && task.statusMessage !== previous.statusMessage
    const needsInput = Object.keys(openRequests(task, answered)).length > 0
    if (hasEnded(task) || needsInput || hasProgress) return task
    if (task.receivedAt > deadlineOf(task, created))
      throw new AgentStatechartsError(
        "tool_call_failed",
        `the task "${task.taskId}" did not end within its time to live of ${task.ttlMs} ms`,
      )
    wait = intervalOf(task)
  }
}

const intervalOf = ({ pollIntervalMs = pollInterval.default }: McpTask): number =>
  Math.max(pollInterval.min, pollIntervalMs)

/** Waits for `ms` milliseconds. Rejects if the tool call is stopped. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const disarm = systemClock.wakeAt(systemClock.now() + ms, () => {
      signal.removeEventListener("abort", stop)
      resolve()
    })
    const stop = (): void => {
      disarm()
      reject(signal.reason)
    }
    signal.addEventListener("abort", stop, { once: true })
  })
}

function endOf({ status, result, error, statusMessage }: McpTask, name: string): unknown {
  if (status !== "cancelled" && result !== undefined) return resultOf(name, result)
  const why = error ?? statusMessage
  throw new AgentStatechartsError(
    "tool_call_failed",
    `the task of the tool "${name}" ended with the status "${status}"${status === "completed" ? ", but without a result" : ""}${why === undefined ? "" : `: ${why}`}`,
  )
}
