// The JSON about forks and comparisons of runs that the server and the page exchange.
import type { RunError, RunStatus } from "../machines/contract/run-event.js"
import type { StateDifference } from "../runtime/history/compare-states.js"
import type { ReuseReport } from "../runtime/history/reuse-report.js"
import type { AddedAndRemoved } from "../runtime/runner/rerun.js"

/** The instruction of an agent, as a fork can change it. */
export interface AgentInstruction {
  readonly agent: string
  readonly text: string
}

/** The body of the request that forks a run. */
export interface ForkRequest {
  /** Number of journal records to copy. */
  readonly at: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  /** Another first message. Only with `at: 0`. */
  readonly prompt?: string
  /** Other instructions for the calls that the fork makes, by agent id. */
  readonly instructions?: Readonly<Record<string, string>>
}

/** The facts about one of two compared runs. */
export interface ComparedRunFacts {
  readonly runId: string
  readonly chart: string
  readonly status: RunStatus
  readonly startedAt: number
  /**
   * Milliseconds between the first and the last event; null for a fork, whose first events are
   * those of another run.
   */
  readonly durationMs: number | null
  readonly text: string | null
  readonly error: RunError | null
  readonly modelCalls: number
  readonly toolCalls: number
  /** null if no service has reported its tokens. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** null if no price is known. */
  readonly cost: number | null
}

/** A call of a run, or an answer that it has received. */
export interface RunStep {
  readonly kind: "model" | "tool" | "node" | "host" | "workflow" | "person"
  readonly path: string
  /** The name of the model, tool, node, function or workflow, or the kind of the answer. */
  readonly label: string
  /** The arguments of a call. Empty for models and people. */
  readonly input: string
  /** The text, the response or the error. */
  readonly output: string
  readonly isFailed: boolean
  /** Number of records after which the step has ended; null if it has not. */
  readonly record: number | null
}

/** A step of one run next to the same step of the other run. */
export interface ComparedStep {
  readonly a: RunStep | null
  readonly b: RunStep | null
  readonly isSame: boolean
}

/** The comparison of two runs. */
export interface RunComparison {
  readonly a: ComparedRunFacts
  readonly b: ComparedRunFacts
  /** Number of records that run B shares with run A, if one is a fork of the other. */
  readonly forkedAt: number | null
  /** Agents that have started in one of the runs only. `added` are those of run B. */
  readonly agents: AddedAndRemoved
  /** Instructions that differ. */
  readonly instructions: readonly {
    readonly agent: string
    readonly a: string | null
    readonly b: string | null
  }[]
  /** State keys whose final values differ, without keys of the system. */
  readonly state: readonly StateDifference[]
  readonly steps: readonly ComparedStep[]
  /** Number of steps that are left out at the end. */
  readonly leftOut: number
}

/** A recorded run that was executed again with a changed workflow. */
export interface StoredRerun {
  readonly runId: string
  readonly calls: ReuseReport["calls"]
}
