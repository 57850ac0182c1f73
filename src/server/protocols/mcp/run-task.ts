import type {
  CallToolResult,
  ClientCapabilities,
  InputRequests,
  TaskStatus,
} from "@modelcontextprotocol/server"
import { isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { HubRun } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import { hasForms, resultOrForms } from "./mcp-elicitation.js"
import type { McpPackage } from "./mcp-package.js"
import { resultOf } from "./mcp-result.js"
import { progressMessage } from "./progress-message.js"

/** An MCP task that represents a run. The id of the task is the id of the run. */
export interface RunTask {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
}

/** An MCP task with its result, or with forms for the pending requests of its run. */
export interface RunTaskState {
  readonly task: RunTask
  /** Result of the tool call. Null if the task has not completed. */
  readonly result: CallToolResult | null
  /** Forms for the pending requests of the run. Null if the run needs no input from the client. */
  readonly inputRequests: InputRequests | null
}

/**
 * Delay in milliseconds that the server suggests to clients between two requests for the state of a
 * task.
 */
export const pollIntervalMs = 500

const timeText = (time: number): string => new Date(time).toISOString()

/**
 * Returns the state of a run's MCP task. If the run waits for input that the client cannot provide,
 * the task counts as completed. Its result then describes the pending requests.
 */
export function taskStateOf(
  details: RunDetails,
  capabilities: ClientCapabilities | undefined,
  sdk: McpPackage,
): RunTaskState {
  const { runId, startedAt, events } = details
  const { status } = details.result
  const createdAt = timeText(startedAt)
  const lastUpdatedAt = timeText(events.at(-1)?.at ?? startedAt)
  const task = { taskId: runId, createdAt, lastUpdatedAt }
  if (status === "running") {
    const message = lastMessage(details)
    return {
      task: { ...task, status: "working", ...(message !== null && { statusMessage: message }) },
      result: null,
      inputRequests: null,
    }
  }
  if (status === "cancelled")
    return { task: { ...task, status }, result: null, inputRequests: null }
  const result =
    status === "waiting" ? resultOrForms(details, capabilities, sdk) : resultOf(details)
  return sdk.isInputRequiredResult(result)
    ? {
        task: { ...task, status: "input_required" },
        result: null,
        inputRequests: result.inputRequests ?? {},
      }
    : { task: { ...task, status: "completed" }, result, inputRequests: null }
}

function lastMessage({ events }: RunDetails): string | null {
  for (let n = events.length - 1; n >= 0; n--) {
    const event = events[n]
    const message = event === undefined ? null : progressMessage(event)
    if (message !== null) return message
  }
  return null
}

/** Converts an entry in the list of runs to an MCP task. */
export function listedTask(
  { runId, status, startedAt, settledAt, pending }: HubRun,
  capabilities: ClientCapabilities | undefined,
): RunTask {
  return {
    taskId: runId,
    createdAt: timeText(startedAt),
    lastUpdatedAt: timeText(settledAt ?? startedAt),
    status:
      status === "running" || status === "interrupted"
        ? "working"
        : status === "cancelled"
          ? "cancelled"
          : status === "waiting" && hasForms(pending, capabilities)
            ? "input_required"
            : "completed",
  }
}

/**
 * Returns the details of a run. If the run was interrupted, resumes it first.
 *
 * @throws AgentStatechartsError `run_unknown`
 */
export async function resumedDetails(runs: RunHub, runId: string): Promise<RunDetails> {
  const details = await runs.details(runId)
  if (details.result.status !== "running" || details.isHere) return details
  try {
    await runs.ensureLive(runId)
  } catch (error) {
    // Another process executes the run, or the run has ended in the meantime.
    if (!isReportedError(error)) throw error
  }
  return runs.details(runId)
}
