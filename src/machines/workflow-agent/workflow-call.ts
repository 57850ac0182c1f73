import type { JsonObject } from "../data/json-object.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { Budget, CallerLimits } from "../contract/budget.js"
import type { PendingRequest, Reply } from "../contract/pending-request.js"
import type { RunError, RunStatus } from "../contract/run-event.js"
import type { CallIdentity } from "../contract/services.js"
import type { UserContent } from "../contract/user-content.js"
import type { RemoteIds, RemoteOutput, RemoteRequest } from "./remote-call.js"

/** The run that has called a workflow as a child run, and the path of the call in this run. */
export interface CallingRun {
  readonly runId: string
  readonly path: string
  /**
   * Nesting depth of the child run. It is 1 if a program started the calling run, and 2 if the
   * calling run is a child run at depth 1.
   */
  readonly depth: number
  readonly limits?: CallerLimits
}

/**
 * A request to a child run, which starts it or attaches to it, sends answers, and returns its
 * progress (docs/semantics.md#calls-of-workflows).
 */
export interface WorkflowRequest extends CallIdentity {
  /**
   * Key of the workflow in `workflows` of the chart, or the name of a workflow that is registered
   * with the runner.
   */
  readonly workflow: string
  /**
   * Fingerprint of the workflow's chart. Absent if the caller's chart does not contain the
   * workflow.
   */
  readonly fingerprint?: string
  readonly prompt: UserContent | null
  /**
   * Initial session state of the child run. If the called workflow is a graph, this is the
   * `context` of the graph.
   */
  readonly input: JsonObject
  readonly limits?: CallerLimits
  /** Ids of the pending requests that the child run has already reported to the calling run. */
  readonly seen: readonly string[]
  /** Answers of people to pending requests of the child run. */
  readonly answers?: readonly Reply[]
  /**
   * Set if the child run has already reported that it waits for people. The call then returns when
   * the pending requests of the child run change, or when the child run ends. If absent, the call
   * also returns when the child run waits for people.
   */
  readonly watches?: true
  /** Additional fields for the call of a remote agent. Absent if the call starts a child run. */
  readonly remote?: RemoteRequest
}

/** The progress of a child run or of a remote agent's task, or its result if it has ended. */
export type ChildProgress =
  | {
      /**
       * `running`: the pending requests have changed, and other work of the child run continues.
       * `waiting`: the child run waits for people.
       */
      readonly status: "running" | "waiting"
      readonly pending: readonly PendingRequest[]
      /**
       * Ids of requests whose answers were ignored, because the requests were no longer pending.
       */
      readonly unused?: readonly string[]
      /** Ids of the remote agent's task and conversation. Absent for a child run. */
      readonly remote?: RemoteIds
    }
  | {
      readonly status: Exclude<RunStatus, "running" | "waiting">
      readonly text: string | null
      readonly state: JsonObject
      readonly error: RunError | null
      /**
       * Ids of the remote agent's task and conversation, and the output of the agent. Absent for a
       * child run.
       */
      readonly remote?: RemoteIds & RemoteOutput
    }

/**
 * Returns the chart of a child run after the limits of its caller were applied. For each limit, the
 * lower value applies.
 */
export function chartWithLimits(
  chart: AgentChart,
  { maxModelCalls = Number.POSITIVE_INFINITY, budget }: CallerLimits,
): AgentChart {
  const { settings } = chart
  return {
    ...chart,
    settings: {
      ...settings,
      maxModelCalls: Math.min(settings.maxModelCalls, maxModelCalls),
      ...(budget !== undefined && { budget: lowerBudget(budget, settings.budget) }),
    },
  }
}

/**
 * Combines two budgets. For each limit, the result contains the lower of the two values.
 * `onExceeded`, the effect of a budget that is used up, is taken from `ofCall`.
 */
function lowerBudget(ofCall: Budget, own: Budget | undefined): Budget {
  if (own === undefined) return ofCall
  const { onExceeded, ...amounts } = ofCall
  const { onExceeded: _, ...ownAmounts } = own
  const lowest: Record<string, number> = { ...ownAmounts }
  for (const [name, amount] of Object.entries(amounts))
    lowest[name] = Math.min(amount, lowest[name] ?? Number.POSITIVE_INFINITY)
  return { ...lowest, onExceeded }
}

/** Returns the id of a child run, which is the idempotency key of the call that starts it. */
export const childRunId = ({ idempotencyKey }: Pick<CallIdentity, "idempotencyKey">): string =>
  idempotencyKey

/**
 * Returns whether the input belongs to a call that only waits until people have answered requests
 * of a child run. While such a call is open, the run does not count as working.
 */
export function isWatch(input: unknown): boolean {
  if (typeof input !== "object" || input === null || !("request" in input)) return false
  const { request } = input
  return typeof request === "object" && request !== null && "watches" in request
}
