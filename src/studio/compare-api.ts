// The JSON about forks and comparisons of runs that the server and the page exchange.
import type { RunError, RunStatus } from "../machines/contract/run-event.js"
import type { StateDifference } from "../runtime/history/compare-states.js"
import type { ReuseReport } from "../runtime/history/reuse-report.js"
import type { AddedAndRemoved } from "../runtime/runner/rerun.js"

/** The instruction of an agent. A fork of a run can replace it. */
export interface AgentInstruction {
  readonly agent: string
  readonly text: string
}

/** The JSON body of the HTTP request that forks a run. */
export interface ForkRequest {
  /** Number of the run's journal records that the fork copies. */
  readonly at: number
  readonly state?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  /** Replaces the first user message of the run. Only allowed if `at` is 0. */
  readonly prompt?: string
  /**
   * New instructions by agent id. In the calls of the fork, they replace the instructions of these
   * agents.
   */
  readonly instructions?: Readonly<Record<string, string>>
}

/** The result, the duration and the usage of a run, shown in a comparison with another run. */
export interface ComparedRunFacts {
  readonly runId: string
  readonly chart: string
  readonly status: RunStatus
  readonly startedAt: number
  /**
   * Time from the start of the run to its last event, in milliseconds. For a fork, the time starts
   * when the fork is created.
   */
  readonly durationMs: number
  readonly text: string | null
  readonly error: RunError | null
  readonly modelCalls: number
  readonly toolCalls: number
  /** Number of input tokens of all model calls. Null if no model has reported token counts. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Cost of all model calls. Null if no called model has a known price. */
  readonly cost: number | null
}

/** A call that a run made, or the answer of a person, as a row of the comparison of two runs. */
export interface RunStep {
  readonly kind: "model" | "tool" | "node" | "host" | "workflow" | "person"
  readonly path: string
  /**
   * Name of the called model, tool, node, function or workflow. For a person, the kind of the
   * answer.
   */
  readonly label: string
  /** Arguments of the call as text. Empty for model calls and for answers of people. */
  readonly input: string
  /**
   * The result as text. It is the text of a model or person, the result of another call, or an
   * error message.
   */
  readonly output: string
  readonly isFailed: boolean
  /**
   * Number of journal records up to and including the end of the step. Null if the step has not
   * ended.
   */
  readonly record: number | null
}

/**
 * A row of the comparison of runs A and B, with two matching steps. If only one run has the step,
 * the other field is null.
 */
export interface ComparedStep {
  readonly a: RunStep | null
  readonly b: RunStep | null
  readonly isSame: boolean
}

/** The differences between two runs, which are called A and B. */
export interface RunComparison {
  readonly a: ComparedRunFacts
  readonly b: ComparedRunFacts
  /**
   * Number of journal records that both runs share because one of them is a fork. Null if neither
   * run is a fork of the other.
   */
  readonly forkedAt: number | null
  /**
   * Agents that started in only one of the runs. Agents in `added` started only in run B, and
   * agents in `removed` started only in run A.
   */
  readonly agents: AddedAndRemoved
  /**
   * The agents whose instructions differ in the two runs. A null value means that the run has no
   * such agent, or that the agent has no instruction.
   */
  readonly instructions: readonly {
    readonly agent: string
    readonly a: string | null
    readonly b: string | null
  }[]
  /** The state keys whose final values differ. Internal keys are omitted. */
  readonly state: readonly StateDifference[]
  readonly steps: readonly ComparedStep[]
  /** Number of steps that were omitted at the end of `steps` to limit the size. */
  readonly leftOut: number
}

/**
 * The stored run that executed a recorded run again with a changed workflow. `calls` counts the
 * calls that reused a recorded result and the calls that were made.
 */
export interface StoredRerun {
  readonly runId: string
  readonly calls: ReuseReport["calls"]
}
