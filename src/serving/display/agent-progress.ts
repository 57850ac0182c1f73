import type { Outcome, RunEvent, RunResult } from "../../machines/contract/run-event.js"
import { describeRequest } from "./describe-request.js"

/**
 * Current status of an agent, or the outcome of its last turn. `idle` means that the agent has not
 * started.
 */
export type AgentStatus = "idle" | "working" | "retrying" | "waiting" | "skipped" | Outcome

/** Progress of one agent in a run. {@link applyEvent} updates it from the events of the run. */
export interface AgentProgress {
  status: AgentStatus
  /**
   * Short text about the current activity, for example `calls search`. Empty if there is nothing to
   * show.
   */
  activity: string
  /** Result text of the last turn. Null if there is none. */
  text: string | null
  /**
   * Last characters of the text that the model is currently generating. Empty if no text is being
   * generated.
   */
  partialText: string
  /**
   * For a loop, its current or last iteration. For an agent in a cycle, the number of the cycle in
   * which it last started. Both numbers start at 1. Null for all other agents.
   */
  iteration: number | null
  /** Start of the last turn in milliseconds since the epoch. Null if the agent has not started. */
  startedAt: number | null
  finishedAt: number | null
  /** Names of the tools that are currently running, by tool call id. */
  readonly runningTools: Map<string, string>
  /** Ids of the pending requests of the agent. */
  readonly pendingRequests: Set<string>
}

/** Returns the progress of an agent that has not started yet. */
export const newProgress = (): AgentProgress => ({
  status: "idle",
  activity: "",
  text: null,
  partialText: "",
  iteration: null,
  startedAt: null,
  finishedAt: null,
  runningTools: new Map(),
  pendingRequests: new Set(),
})

/** Returns whether the agent has started a turn but has not finished it. */
export const isActive = ({ status }: AgentProgress): boolean =>
  status === "working" || status === "retrying" || status === "waiting"

/** Maximum length of `partialText` in characters. */
const maxPartialText = 500

/** Updates the progress of an agent with the next event of this agent. */
export function applyEvent(progress: AgentProgress, event: RunEvent): void {
  const set = (status: AgentStatus, activity: string): void =>
    void Object.assign(progress, { status, activity })
  // Only a `model.delta` event continues the generated text. Every other event ends it.
  progress.partialText =
    event.type === "model.delta" ? (progress.partialText + event.text).slice(-maxPartialText) : ""
  switch (event.type) {
    case "agent.started":
    case "node.started":
      // The progress of nested agents is reset by their own events.
      set("working", "")
      Object.assign(progress, {
        startedAt: event.at,
        finishedAt: null,
        text: null,
        iteration: cycleOf(event.path),
      })
      progress.runningTools.clear()
      progress.pendingRequests.clear()
      return
    case "agent.finished":
      set(event.outcome, event.outcome === "handedOff" ? progress.activity : "")
      Object.assign(progress, { finishedAt: event.at, text: event.text })
      return
    case "node.finished":
      if (event.state === undefined) return
      set(event.state === "executed" ? "done" : "failed", "")
      Object.assign(progress, { finishedAt: event.at })
      return
    case "node.skipped":
      return set("skipped", event.reason)
    case "agent.skipped":
      return set("skipped", event.when)
    case "model.called":
      return set(
        "working",
        `calls ${event.model === undefined ? "its model" : `the model ${event.model}`}${event.attempt === 1 ? "" : ` (attempt ${event.attempt})`}`,
      )
    case "tool.called":
      progress.runningTools.set(event.callId, event.tool)
      return set("working", toolActivity(progress))
    case "tool.finished":
      progress.runningTools.delete(event.callId)
      if (progress.runningTools.size > 0) progress.activity = toolActivity(progress)
      return
    case "model.fallback":
      return set("retrying", `falls back to ${event.to}: ${event.error.message}`)
    case "retry.scheduled":
      return set("retrying", `will retry (attempt ${event.attempt}): ${event.error.message}`)
    case "human.asked":
    case "user.awaited": {
      const { id, prompt } = event.request
      progress.pendingRequests.add(id)
      return set(
        "waiting",
        `${describeRequest(event.request)}${prompt === null ? "" : `: ${prompt}`}`,
      )
    }
    case "human.answered":
    case "user.said":
    case "request.expired":
      progress.pendingRequests.delete(event.id)
      if (progress.status === "waiting" && progress.pendingRequests.size === 0) set("working", "")
      return
    case "handoff":
      progress.activity = `hands off to ${event.to}`
      return
    case "loop.iterated":
      progress.iteration = event.iteration + 1
      return
    case "loop.ended":
      progress.iteration = event.iterations
      return
  }
}

const toolActivity = ({ runningTools }: AgentProgress): string =>
  `calls ${[...runningTools.values()].join(", ")}`

/**
 * Ends the turn of an active agent after the run has ended. The status of the agent is derived from
 * the status of the run.
 */
export function applyResult(progress: AgentProgress, { status }: RunResult, time: number): void {
  if (isActive(progress))
    Object.assign(progress, { status: outcomeOf[status], activity: "", finishedAt: time })
}

const outcomeOf: Readonly<Record<RunResult["status"], Outcome>> = {
  completed: "done",
  failed: "failed",
  limit: "limited",
  cancelled: "stopped",
  running: "stopped",
  waiting: "stopped",
}

/**
 * Returns the cycle number at the end of an agent path, for example 2 for `team/writer@2`. Returns
 * null if the path contains no cycle number.
 */
function cycleOf(path: string): number | null {
  const cycle = /@(\d+)$/.exec(path)?.[1]
  return cycle === undefined ? null : Number(cycle)
}
