import type { RunStatus } from "../../machines/contract/run-event.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { StoredRun } from "../../runtime/index.js"
import type { EvalAnswer, EvalCall } from "../eval-set/eval-set.js"

/** The result of running a case once. */
export interface CaseRun {
  readonly runId: string
  /** Status of the run after its last executed turn. */
  readonly status: RunStatus
  /** Error code of a run that did not complete; null if there is none. */
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** The executed turns. There are fewer turns than in the case if the run ended early. */
  readonly turns: readonly TurnRecord[]
  /**
   * All tool calls that models requested during the run, in order, including calls inside
   * AgentTools.
   */
  readonly allCalls: readonly EvalCall[]
  /** Ids of the started agents, in order. The list contains an agent once for each start. */
  readonly starts: readonly string[]
  readonly handoffs: number
  /** Answers in the case that the run could not use, for example because no request was pending. */
  readonly unusedAnswers: readonly UnusedAnswer[]
  /** The recorded run, which can be replayed; null if the journal does not contain it. */
  readonly stored: StoredRun | null
}

/** An answer in a case that the run did not use, and the reason. */
export interface UnusedAnswer {
  readonly answer: EvalAnswer
  readonly reason: string
}

/** One turn of a run: from a user message until the workflow is idle again. */
export interface TurnRecord {
  /** The last text that the run has produced by the end of the turn; null if there is none. */
  readonly text: string | null
  /** The session state after the turn. */
  readonly state: JsonObject
  /**
   * The tool calls that models requested in the turn, for comparison with the expected calls. Calls
   * inside AgentTools are excluded.
   */
  readonly calls: readonly EvalCall[]
  readonly toolResults: readonly ToolResult[]
  /** The final texts of agents in the turn, in order. */
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

/** The calls, tokens and time that a turn used. Retries of a call are not counted. */
export interface TurnUsage {
  readonly modelCalls: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether at least one model response reported how many tokens the call used. */
  readonly hasTokens: boolean
  /** Cost of the calls; null if no call has a price. */
  readonly cost: number | null
  /** Duration in milliseconds, excluding the time in which the run waited for a person. */
  readonly durationMs: number
}
