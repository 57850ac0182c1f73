// The JSON about forks and comparisons of runs that the server and the page exchange.
import type { RunError, RunStatus } from "../machines/contract/run-event.js"
import type { StateDifference } from "../runtime/history/compare-states.js"
import type { ReuseReport } from "../runtime/history/reuse-report.js"
import type { AddedAndRemoved } from "../runtime/runner/rerun.js"

/** The instruction of an agent, which a fork can replace. */
export interface AgentInstruction {
  readonly agent: string
  readonly text: string
}

/** The JSON body of the HTTP request that forks a run. */
export interface ForkRequest {
  /** Number of journal records to copy. */
  readonly at: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  /** Replaces the first user message. Only allowed if `at` is 0. */
  readonly prompt?: string
  /**
   * Instructions by agent id. In the fork's calls, they replace the instructions of these agents.
   */
  readonly instructions?: Readonly<Record<string, string>>
}

/** The result, the duration and the usage of a run, for a comparison with another run. */
export interface ComparedRunFacts {
  readonly runId: string
  readonly chart: string
  readonly status: RunStatus
  readonly startedAt: number
  /**
   * Time from the start of the run to its last event, in milliseconds. A fork starts when it is
   * created.
   */
  readonly durationMs: number
  readonly text: string | null
  readonly error: RunError | null
  readonly modelCalls: number
  readonly toolCalls: number
  /** Number of input tokens; null if no model has reported token counts. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Cost of the model calls; null if no model has a known price. */
  readonly cost: number | null
}

/** A call that a run made, or an answer that a person sent to it. */
export interface RunStep {
  readonly kind: "model" | "tool" | "node" | "host" | "workflow" | "person"
  readonly path: string
  /**
   * The name of the called model, tool, node, function or workflow, or the kind of the person's
   * answer.
   */
  readonly label: string
  /** The arguments of a call as text. Empty for model calls and for answers of people. */
  readonly input: string
  /** The text that a model or person wrote, the result of another call, or the error message. */
  readonly output: string
  readonly isFailed: boolean
  /** Number of journal records up to the end of the step; null if the step has not ended. */
  readonly record: number | null
}

/**
 * A row of the comparison: a step of run A and the matching step of run B. If only one run has the
 * step, the other field is null.
 */
export interface ComparedStep {
  readonly a: RunStep | null
  readonly b: RunStep | null
  readonly isSame: boolean
}

/** The differences between two runs, A and B. */
export interface RunComparison {
  readonly a: ComparedRunFacts
  readonly b: ComparedRunFacts
  /**
   * Number of journal records that both runs share because one run is a fork of the other. null:
   * neither run is a fork of the other.
   */
  readonly forkedAt: number | null
  /**
   * Agents that started in only one of the runs: `added` only in run B, `removed` only in run A.
   */
  readonly agents: AddedAndRemoved
  /**
   * The agents whose instructions differ. A null value means that the run has no such agent, or
   * that the agent has no instruction.
   */
  readonly instructions: readonly {
    readonly agent: string
    readonly a: string | null
    readonly b: string | null
  }[]
  /** The state keys whose final values differ. Internal keys are omitted. */
  readonly state: readonly StateDifference[]
  readonly steps: readonly ComparedStep[]
  /** Number of further steps that were omitted at the end of `steps`. */
  readonly leftOut: number
}

/** The stored result of executing a recorded run again with a changed workflow. */
export interface StoredRerun {
  readonly runId: string
  readonly calls: ReuseReport["calls"]
}
