import type { Outcome, RunEvent, RunResult } from "../../machines/contract/run-event.js"
import { describeRequest } from "./describe-request.js"

/** What an agent is doing, or how its last turn ended. `idle`: it has not started. */
export type AgentStatus = "idle" | "working" | "retrying" | "waiting" | "skipped" | Outcome

/** The progress of one agent of a run. {@link applyEvent} updates it. */
export interface AgentProgress {
  status: AgentStatus
  /** The current activity, for example `calls search`. Empty if there is none to show. */
  activity: string
  /** The result of the last turn. */
  text: string | null
  /** The end of the text that the model is streaming. Empty while it streams nothing. */
  partialText: string
  /** The current or last iteration of a loop or cycle, from 1. */
  iteration: number | null
  /** When the last turn started and finished, in milliseconds since the epoch. */
  startedAt: number | null
  finishedAt: number | null
  /** Names of the tools that are running, by call id. */
  readonly runningTools: Map<string, string>
  /** Ids of the requests that the agent waits for. */
  readonly pendingRequests: Set<string>
}

/** Returns the progress of an agent that has not started. */
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

/** Whether the agent has started its turn and not finished it. */
export const isActive = ({ status }: AgentProgress): boolean =>
  status === "working" || status === "retrying" || status === "waiting"

/** Maximum number of characters that are kept of streamed text. */
const maxPartialText = 500

/** Updates the progress of the agent that the event is about. */
export function applyEvent(progress: AgentProgress, event: RunEvent): void {
  const set = (status: AgentStatus, activity: string): void =>
    void Object.assign(progress, { status, activity })
  // Any event except more text ends a streamed text.
  progress.partialText =
    event.type === "model.delta" ? (progress.partialText + event.text).slice(-maxPartialText) : ""
  switch (event.type) {
    case "agent.started":
      // The events of nested agents reset their own progress.
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
    case "agent.skipped":
      return set("skipped", event.when)
    case "model.called":
      return set(
        "working",
        `calls its model${event.attempt === 1 ? "" : ` (attempt ${event.attempt})`}`,
      )
    case "tool.called":
      progress.runningTools.set(event.callId, event.tool)
      return set("working", toolActivity(progress))
    case "tool.finished":
      progress.runningTools.delete(event.callId)
      if (progress.runningTools.size > 0) progress.activity = toolActivity(progress)
      return
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

/** Ends the turn of an active agent with the status of its run. */
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

/** Returns the cycle that an agent path ends with: 2 for `team/writer@2`. */
function cycleOf(path: string): number | null {
  const cycle = /@(\d+)$/.exec(path)?.[1]
  return cycle === undefined ? null : Number(cycle)
}
