import type { OnExpiry } from "./agent-chart.js"
import type { Artifacts } from "./artifacts.js"
import type { Arguments, CallFailure, ModelAnswer } from "./services.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"

/** What a machine announces; the run adds `seq`, `at` and `runId`. */
export type Announcement =
  | (AgentLocation & { readonly type: "agent.started"; readonly kind: string })
  | (AgentLocation & { readonly type: "agent.skipped"; readonly when: string })
  | (AgentLocation & {
      readonly type: "agent.finished"
      readonly kind: string
      readonly outcome: Outcome
      readonly text: string | null
      readonly error?: RunError
    })
  | (AgentLocation & {
      readonly type: "model.called"
      readonly call: string
      readonly attempt: number
      readonly messages: number
    })
  /** More of the text that a model is saying. Live only: in no journal, without a `seq` of its own, and told to nobody who comes later. */
  | (AgentLocation & {
      readonly type: "model.delta"
      readonly call: string
      readonly attempt: number
      readonly text: string
    })
  | (AgentLocation & {
      readonly type: "model.responded"
      readonly call: string
      readonly answer: ModelAnswer
    })
  | (AgentLocation & {
      readonly type: "tool.called"
      readonly callId: string
      readonly tool: string
      readonly arguments: Arguments
      readonly attempt: number
    })
  | (AgentLocation & {
      readonly type: "tool.finished"
      readonly callId: string
      readonly tool: string
      readonly response: JsonObject
    })
  | (AgentLocation & {
      readonly type: "state.changed"
      readonly set: JsonObject
      readonly removed: readonly string[]
    })
  | (AgentLocation & { readonly type: "artifact.saved"; readonly name: string })
  | (AgentLocation & { readonly type: "handoff"; readonly from: string; readonly to: string })
  /** An edge of a graph: from a node, or from `START`, to the node that runs next or waits for others. */
  | (AgentLocation & {
      readonly type: "edge.followed"
      readonly from: string
      readonly to: string
      readonly route: string | null
    })
  | (AgentLocation & { readonly type: "loop.iterated"; readonly iteration: number })
  | (AgentLocation & {
      readonly type: "loop.ended"
      readonly reason: string
      readonly iterations: number
    })
  | (AgentLocation & {
      readonly type: "parallel.joined"
      readonly merged: readonly string[]
      readonly dropped: readonly string[]
    })
  | (AgentLocation & {
      readonly type: "retry.scheduled"
      readonly of: string
      readonly attempt: number
      readonly until: number
      readonly error: CallFailure
    })
  | (AgentLocation & { readonly type: "human.asked"; readonly request: PendingRequest })
  | (AgentLocation & {
      readonly type: "human.answered"
      readonly id: string
      readonly answer: JsonObject
    })
  /** A run or the turn of an agent has taken as long as it may. */
  | (AgentLocation & { readonly type: "deadline.passed"; readonly ms: number })
  /** Nobody has answered in time; what comes later is refused. */
  | (AgentLocation & {
      readonly type: "request.expired"
      readonly id: string
      readonly onExpiry: OnExpiry
    })
  | (AgentLocation & { readonly type: "user.awaited"; readonly request: PendingRequest })
  | (AgentLocation & { readonly type: "user.said"; readonly id: string; readonly text: string })
  | (AgentLocation & { readonly type: "invocation.finished"; readonly text: string | null })
  | (AgentLocation & {
      readonly type: "host.step"
      readonly step: string
      readonly name: string
      readonly ok: boolean
    })
  | (AgentLocation & {
      readonly type: "host.emitted"
      readonly name: string
      readonly data: unknown
    })
  | (AgentLocation & {
      readonly type: "condition.failed"
      readonly condition: string
      readonly message: string
    })
  | (AgentLocation & { readonly type: "checkpoint"; readonly completedSubAgents: number })
  | (AgentLocation & { readonly type: "warning"; readonly message: string })

/** Which agent an event speaks of, and where it stands. */
export interface AgentLocation {
  readonly agent: string
  readonly path: string
  readonly branch: string | null
}

/** How an agent's turn or a container ended. */
export type Outcome =
  | "done"
  | "exited"
  | "escalated"
  | "handedOff"
  | "failed"
  | "limited"
  | "stopped"

/** Status of a run. `waiting`: for a person or a long-running tool; nothing is in flight. */
export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "limit"

/** Why a run failed or hit a limit. */
export interface RunError {
  readonly code: CallFailure["code"]
  readonly message: string
  readonly agent: string | null
  readonly status?: number
}

export interface Usage {
  readonly modelCalls: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** By the runner's `priceOf`; absent where it has none. */
  readonly cost?: number
}

/** What a run has come to. While it is open, the state is that of the finished work so far. */
export interface RunResult {
  readonly runId: string
  readonly status: RunStatus
  /** The last text of the root (docs/semantics.md#turns); null if no agent produced a text. */
  readonly text: string | null
  readonly state: Record<string, unknown>
  /** By name; absent where there are none. */
  readonly artifacts?: Artifacts
  readonly error: RunError | null
  readonly usage: Usage
}

/** One event of a run. `seq` counts from 0 without gaps, `model.delta` has that of the event before it; `at` is milliseconds since the epoch. */
export type RunEvent = { readonly seq: number; readonly at: number; readonly runId: string } & (
  | Announcement
  | Milestone
)

/** What the run itself tells; `run.finished` comes once and last. */
export type Milestone =
  | (AgentLocation & {
      readonly type: "run.started"
      readonly prompt: string | null
      readonly chart: string
    })
  | (AgentLocation & { readonly type: "run.finished"; readonly result: RunResult })
