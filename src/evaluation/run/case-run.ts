import type { RunStatus } from "../../machines/contract/run-event.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { StoredRun } from "../../runtime/index.js"
import type { EvalAnswer, EvalCall } from "../eval-set/eval-set.js"

/** Result of running a test case once. */
export interface CaseRun {
  readonly runId: string
  /** Status of the run after its last executed turn. */
  readonly status: RunStatus
  /** Error code of a run that did not complete. Null if there is no error. */
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Executed turns. If the run ended early, there are fewer turns than in the test case. */
  readonly turns: readonly TurnRecord[]
  /**
   * All tool calls that models requested during the run, in order. Calls inside AgentTools are
   * included.
   */
  readonly allCalls: readonly EvalCall[]
  /**
   * Ids of the agents in the order in which they started. An agent that started twice is listed
   * twice.
   */
  readonly starts: readonly string[]
  readonly handoffs: number
  /**
   * Answers in the test case that the run did not use, for example because no request was pending.
   */
  readonly unusedAnswers: readonly UnusedAnswer[]
  /** Recorded run, which can be replayed. Null if the journal does not contain the run. */
  readonly stored: StoredRun | null
}

/** An answer in a test case that the run did not use, with the reason. */
export interface UnusedAnswer {
  readonly answer: EvalAnswer
  readonly reason: string
}

/** One turn of a run. It starts with a user message and ends when the workflow is idle again. */
export interface TurnRecord {
  /** Latest text that the run has produced by the end of the turn. Null if there is no text. */
  readonly text: string | null
  /** Session state after the turn. */
  readonly state: JsonObject
  /**
   * Tool calls that models requested in the turn, for comparison with the expected calls. Calls
   * inside AgentTools are excluded.
   */
  readonly calls: readonly EvalCall[]
  readonly toolResults: readonly ToolResult[]
  /** Final texts of the agents that ran in the turn, in order. */
  readonly agentTexts: readonly AgentText[]
  readonly usage: TurnUsage
}

export interface ToolResult {
  readonly id: string
  readonly name: string
  readonly response: JsonObject
}

export interface AgentText {
  readonly agent: string
  /** Kind of the agent, such as `LlmAgent`. */
  readonly kind: string
  readonly path: string
  readonly text: string
}

/** Calls, tokens and time that a turn used. Retries of a call are not counted. */
export interface TurnUsage {
  readonly modelCalls: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether at least one model response reported its token usage. */
  readonly hasTokens: boolean
  /** Total cost of the calls that have a price. Null if no call has a price. */
  readonly cost: number | null
  /**
   * Duration of the turn in milliseconds, without the time in which the run waited for a person.
   */
  readonly durationMs: number
}
