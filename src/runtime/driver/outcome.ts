import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import { addTokens } from "../../machines/contract/budget.js"
import { artifactsAmong } from "../../machines/contract/artifacts.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type {
  EmittedEvent,
  RunError,
  RunResult,
  RunStatus,
  ToolFailure,
  Usage,
} from "../../machines/contract/run-event.js"
import type { Writable } from "../../machines/contract/machine-kind.js"
import type { CachedUsage } from "../../machines/contract/services.js"
import { toObjects } from "../../machines/data/session-state.js"
import type { TurnOutput } from "../../machines/contract/turn.js"

export const noUsage: Usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 }

/** Token usage, number of calls, and list of failed tool calls of a run. */
export interface RunTally {
  readonly usage: Usage
  readonly toolFailures: readonly ToolFailure[]
}

export const noTally: RunTally = { usage: noUsage, toolFailures: [] }

/** Maximum number of failed tool calls in the result of a run. Further failures are not listed. */
const maxToolFailures = 100

/**
 * Adds the calls, tokens or failure of an event to the totals of a run, and returns the new totals.
 * If the event changes no total, returns the same object.
 */
export function addToTally(tally: RunTally, event: EmittedEvent): RunTally {
  const { usage, toolFailures } = tally
  if (event.type !== "tool.finished") {
    const counted = addUsage(usage, event)
    return counted === usage ? tally : { usage: counted, toolFailures }
  }
  const { agent, path, branch, tool, callId, error } = event
  return error === undefined || toolFailures.length >= maxToolFailures
    ? tally
    : {
        usage,
        toolFailures: [...toolFailures, { tool, callId, message: error, agent, path, branch }],
      }
}

/**
 * Adds the calls and tokens of an event to `usage`, and returns the new totals. Retries of a call
 * are not counted as calls. If the event changes no total, returns the same object.
 */
export function addUsage(usage: Usage, event: EmittedEvent): Usage {
  switch (event.type) {
    case "model.called":
      return event.attempt === 1 ? withFields(usage, { modelCalls: usage.modelCalls + 1 }) : usage
    case "tool.called":
      return event.attempt === 1 ? withFields(usage, { toolCalls: usage.toolCalls + 1 }) : usage
    case "model.responded": {
      const { cached } = event.answer
      if (cached !== undefined)
        return withFields(usage, { cached: addCached(usage.cached, cached) })
      return event.answer.usage === null
        ? usage
        : withFields(usage, addTokens(usage, event.answer.usage))
    }
    default:
      return usage
  }
}

/**
 * Returns a copy of `usage` with changed fields. Copies the fields one by one, because `{ ...usage
 * }` takes eight times as long in Node 20 if a number of the copy is changed afterwards.
 */
function withFields(usage: Usage, changes: Partial<Usage>): Usage {
  const { modelCalls, toolCalls, inputTokens, outputTokens, cost, cached } = usage
  const copy: Writable<Usage> = { modelCalls, toolCalls, inputTokens, outputTokens }
  if (cost !== undefined) copy.cost = cost
  if (cached !== undefined) copy.cached = cached
  return Object.assign(copy, changes)
}

const addCached = (
  before: Usage["cached"],
  { usage }: CachedUsage,
): NonNullable<Usage["cached"]> => ({
  ...addTokens(before ?? null, usage ?? { inputTokens: 0, outputTokens: 0 }),
  modelCalls: (before?.modelCalls ?? 0) + 1,
})

/**
 * Returns the status of a run whose root machine has ended. `stoppedAs` is the status that a call
 * of `end` or `cancel` requested, or null if neither was called.
 */
export function statusOf(
  output: TurnOutput,
  stoppedAs: "completed" | "cancelled" | null,
): RunStatus {
  switch (output.signal) {
    case "done":
    case "exited":
    case "escalated":
    case "handedOff":
      return "completed"
    case "failed":
      return "failed"
    case "limited":
      return "limit"
    case "stopped":
      return stoppedAs ?? "cancelled"
  }
}

/**
 * Returns the status and the error of a run after a state machine or the journal has thrown
 * `cause`. The status is `limit` if the error code is `limit_reached`, and otherwise `failed`.
 */
export function failureResult(cause: unknown): {
  readonly status: "limit" | "failed"
  readonly error: RunError
} {
  const code = cause instanceof AgentStatechartsError ? cause.code : "internal"
  return {
    status: code === "limit_reached" ? "limit" : "failed",
    error: { code, agent: null, message: thrownMessage(cause) },
  }
}

export const stuckRunError = (): AgentStatechartsError =>
  new AgentStatechartsError(
    "chart_invalid",
    "the run is stuck: no call is in flight and no request is pending; a transition is missing in the chart",
  )

/**
 * Returns the `RunResult` of a run from the context of its root machine. If the run is still in
 * progress, the result contains the text, state, usage and failed tool calls so far. `root` is null
 * if the run could not start.
 */
export function resultOf(
  runId: string,
  status: RunStatus,
  root: OrchestrationContext | null,
  error: RunError | null,
  { usage, toolFailures }: RunTally,
): RunResult {
  const scope = root?.scopes[""]
  const { shown, hidden } = scope === undefined ? { shown: {}, hidden: {} } : toObjects(scope.state)
  const artifacts = artifactsAmong(hidden)
  return {
    runId,
    status,
    text: scope?.lastText ?? null,
    state: shown,
    ...(Object.keys(artifacts).length > 0 && { artifacts }),
    error: status === "failed" || status === "limit" ? error : null,
    usage,
    ...(toolFailures.length > 0 && { toolFailures }),
  }
}
