import type { OnExpiry } from "./activity.js"
import type { Artifacts } from "./artifacts.js"
import type { ToolArguments, CallFailure } from "./services.js"
import type { ContextCompacted } from "./compaction.js"
import type { TokenUsage } from "./budget.js"
import type { GuardrailEvent } from "./guardrails/guardrails.js"
import type { ModelDelta } from "./delta-stream.js"
import type { ModelEvent } from "./model-event.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"

/** An event of a run that a machine emits. The run adds the fields `seq`, `at` and `runId`. */
export type EmittedEvent =
  | (AgentLocation & ChildLink & { readonly type: "agent.started"; readonly kind: string })
  | (AgentLocation & { readonly type: "agent.skipped"; readonly when: string })
  | (AgentLocation &
      ChildLink & {
        readonly type: "agent.finished"
        readonly kind: string
        readonly outcome: Outcome
        readonly text: string | null
        readonly error?: RunError
      })
  | (AgentLocation & (ModelEvent | ModelDelta))
  | (AgentLocation & ContextCompacted)
  | (AgentLocation & GuardrailEvent)
  | (AgentLocation & {
      readonly type: "tool.called"
      readonly callId: string
      readonly tool: string
      readonly arguments: ToolArguments
      readonly attempt: number
    })
  | (AgentLocation & {
      readonly type: "tool.finished"
      readonly callId: string
      readonly tool: string
      readonly response: JsonObject
      /** Error message of a failed call. Absent if a person or a policy rejected the call. */
      readonly error?: string
    })
  | (AgentLocation & {
      readonly type: "state.changed"
      readonly set: JsonObject
      readonly removed: readonly string[]
    })
  | (AgentLocation & { readonly type: "artifact.saved"; readonly name: string })
  | (AgentLocation & { readonly type: "handoff"; readonly from: string; readonly to: string })
  /**
   * A graph has followed an edge. `from` is a node id or `START`. The node `to` runs next, or waits
   * for its other incoming edges.
   */
  | (AgentLocation & {
      readonly type: "edge.followed"
      readonly from: string
      readonly to: string
      readonly route: string | null
    })
  /** A node of a Graph Compose graph has started. */
  | (AgentLocation & { readonly type: "node.started"; readonly node: string })
  /**
   * A node of a graph has ended. `node`, `state` and `result` are set in Graph Compose graphs. The
   * other fields are set in graphs with `triggering: "each"`. `output` is absent if the node has no
   * output.
   */
  | (AgentLocation & {
      readonly type: "node.finished"
      readonly node?: string
      readonly state?: "executed" | "executed_and_failed"
      /** The result of the graph node. Absent for an endForEach node. */
      readonly result?: JsonObject
      readonly output?: unknown
      readonly route?: unknown
      /** Set if an earlier event has already displayed the node's output. */
      readonly isShown?: true
      readonly error?: NodeFailure
    })
  | (AgentLocation & {
      readonly type: "node.skipped"
      readonly node: string
      readonly reason: string
    })
  /** A loop of a Graph Compose graph starts. Its list of items has `count` items. */
  | (AgentLocation & {
      readonly type: "forEach.expanded"
      readonly node: string
      readonly count: number
    })
  /**
   * A MachineAgent's XState machine has entered states. `states`: paths of the innermost states.
   */
  | (AgentLocation & { readonly type: "machine.entered"; readonly states: readonly string[] })
  | (AgentLocation & { readonly type: "loop.iterated"; readonly iteration: number })
  | (AgentLocation & {
      readonly type: "loop.ended"
      readonly reason: LoopExitReason
      readonly iterations: number
    })
  /** A parallel block with `forEach` has evaluated its items. `count` is the number of items. */
  | (AgentLocation & { readonly type: "parallel.expanded"; readonly count: number })
  /**
   * A parallel block ended before all of its branches, because its `completion` was reached.
   * `successes` and `failures` are numbers of branches.
   */
  | (AgentLocation & {
      readonly type: "parallel.settled"
      readonly successes: number
      readonly failures: number
      /** Names of the cancelled branches in order. They include branches that had not started. */
      readonly cancelled: readonly string[]
    })
  | (AgentLocation & {
      readonly type: "parallel.joined"
      readonly merged: readonly string[]
      readonly dropped: readonly string[]
    })
  | (AgentLocation & {
      readonly type: "retry.scheduled"
      /** Key of the failed call, or run id and path of a graph node, such as `r1/flow/a`. */
      readonly of: string
      /** Id of the failed tool call. Absent if the failed call is not a tool call. */
      readonly callId?: string
      /** Number of the next attempt. The first attempt of a call has the number 1. */
      readonly attempt: number
      /** Time at which the next attempt starts, in milliseconds since the epoch. */
      readonly until: number
      /** Error of the failed attempt. */
      readonly error: CallFailure
    })
  | (AgentLocation & { readonly type: "human.asked"; readonly request: PendingRequest })
  | (AgentLocation & {
      readonly type: "human.answered"
      readonly id: string
      readonly answer: JsonObject
    })
  /** A run or a turn has reached its `maxDuration`, which is `ms` milliseconds. */
  | (AgentLocation & { readonly type: "deadline.passed"; readonly ms: number })
  /** A pending request has expired. Later answers to this request are rejected. */
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
  /** The previous event violates a policy that reports violations but does not prevent them. */
  | (AgentLocation & PolicyEventFields & { readonly type: "policy.violated" })
  /** A tool call was not made because it would violate a policy. */
  | (AgentLocation & PolicyEventFields & { readonly type: "policy.refused" })

/**
 * Fields of the events that report a policy violation. `tool`, `callId` and `arguments` are set
 * only for tool calls.
 */
interface PolicyEventFields {
  /** Name of the policy. */
  readonly policy: string
  /** Line of the policy in its file, counted from 1. */
  readonly line: number
  readonly message: string
  readonly tool?: string
  readonly callId?: string
  readonly arguments?: ToolArguments
}

/**
 * Links an event of a WorkflowAgent or RemoteA2AAgent to the run that it starts elsewhere. For a
 * WorkflowAgent, this is a child run. For a RemoteA2AAgent, it is a task on another server. Other
 * agents do not set these fields.
 */
interface ChildLink {
  /** Name or file path of the called workflow. For a RemoteA2AAgent, the URL of its agent card. */
  readonly workflow?: string
  readonly childRun?: string
  /** Id of a RemoteA2AAgent's task. Absent if the server has not assigned an id. */
  readonly remoteTask?: string
}

/** The agent to which an event refers, its path in the run, and the name of its parallel branch. */
export interface AgentLocation {
  readonly agent: string
  readonly path: string
  readonly branch: string | null
}

/**
 * The reason why a loop ended: its exit condition is true, it has reached the maximum number of
 * iterations, or a sub-agent has escalated. The event `loop.ended` and the state key
 * `loop_exit_reason` contain it.
 */
export type LoopExitReason = "exit_condition" | "max_agent_loop_iterations" | "escalate"

/** How the turn of an agent, or the execution of a container such as a loop, has ended. */
export type Outcome =
  | "done"
  | "exited"
  | "escalated"
  | "handedOff"
  | "failed"
  | "limited"
  | "stopped"

/**
 * Status of a run. `waiting`: it waits for people or long-running tools, and no call is in flight.
 */
export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "limit"

/** An error of a graph node. It consists of the name of the error class and the message. */
export interface NodeFailure {
  readonly name: string
  readonly message: string
}

/** The error with which a run failed or reached a limit. */
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
  /** Cost in the unit of the runner's option `priceOf`. Absent without `priceOf`. */
  readonly cost?: number
  /**
   * Number of model calls that received a cached response, and the tokens and cost of the original
   * calls. The run's `modelCalls` includes these calls. The run's tokens and cost do not include
   * them. Absent without such calls.
   */
  readonly cached?: TokenUsage & { readonly modelCalls: number }
}

/** Result of a run. If the run has not ended, `state` contains the finished work so far. */
export interface RunResult {
  readonly runId: string
  readonly status: RunStatus
  /** Final text of the root agent (docs/semantics.md#turns). null if there is no final text. */
  readonly text: string | null
  readonly state: Record<string, unknown>
  /** Artifacts of the run by name. Absent if there are none. */
  readonly artifacts?: Artifacts
  readonly error: RunError | null
  readonly usage: Usage
  /**
   * Failed tool calls after which the run continued, because the model received the error. Oldest
   * first, at most 100. Absent if no tool call failed.
   */
  readonly toolFailures?: readonly ToolFailure[]
}

/** A tool call that failed in all of its attempts (docs/semantics.md#tools). */
export interface ToolFailure extends AgentLocation {
  readonly tool: string
  readonly callId: string
  readonly message: string
}

/**
 * One event of a run. `seq` counts the events from 0 without gaps. A `model.delta` or
 * `model.waiting` event has the same `seq` as the previous event. `at` is the time in milliseconds
 * since the epoch.
 */
export type RunEvent = { readonly seq: number; readonly at: number; readonly runId: string } & (
  | EmittedEvent
  | RunBoundaryEvent
)

/** The first or the last event of a run. `run.finished` is emitted exactly once. */
export type RunBoundaryEvent =
  | (AgentLocation & {
      readonly type: "run.started"
      readonly prompt: string | null
      readonly chart: string
    })
  | (AgentLocation & { readonly type: "run.finished"; readonly result: RunResult })
