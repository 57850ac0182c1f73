import type { JsonObject } from "../data/json-object.js"
import { outputOf } from "./machine-event.js"
import type { CallFailure, Message } from "./services.js"
import type { BranchHistory, History } from "./history.js"
import type { Outcome, RunError } from "./run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import type { RunLocation } from "./machine-kind.js"
import type { MachineEvent } from "./machine-event.js"

/**
 * Input of the machine that runs one turn of an agent. For a container such as a loop, the turn
 * includes all agents inside it.
 */
export interface TurnInput extends RunLocation {
  readonly agent: string
  /**
   * The session state at the start of the turn. The turn returns its changes of the state as a
   * patch.
   */
  readonly state: SessionState
  /** Iteration index of the innermost loop that contains the agent. null outside loops. */
  readonly iteration: number | null
  /**
   * The first messages of a new conversation. If the agent has a conversation from earlier turns
   * (`memory`), it continues that conversation instead.
   */
  readonly prompt: readonly Message[]
  /** Session history at the start of the turn. null in the graph-compose dialect. */
  readonly history: BranchHistory | null
  /** The agent's conversation from earlier turns. null if there is none, or if it is not kept. */
  readonly memory: AgentMemory | null
  /**
   * Whether the output of the turn must include the agent's conversation (`memory`), because the
   * agent may have another turn.
   */
  readonly remember: boolean
  /**
   * JSON schema of the result of the agent's task. A task is work that ends when the model calls
   * `finish_task`. Absent if the agent has no task.
   */
  readonly task?: { readonly schema: JsonObject }
  /**
   * Values for placeholders in instructions: the input of the graph node that runs the agent, and
   * the latest outputs of the other nodes by node id. Set only in graphs with `triggering: "each"`.
   */
  readonly nodeValues?: { readonly input: unknown; readonly outputs: JsonObject }
  readonly at: number
}

/** The data of an agent that is kept from one turn to the next. */
export interface AgentMemory {
  readonly conversation: readonly Message[]
  /**
   * Number of model calls so far at the agent's path. For a HumanAgent, the number of questions.
   * The idempotency key of the next call contains this number.
   */
  readonly calls: number
}

/** Result of a turn. All kinds of agents and containers return this type. */
export interface TurnOutput {
  readonly signal: Outcome
  /**
   * Final text of the agent. For a container such as a sequence, the text of its last agent. null
   * if there is no text.
   */
  readonly text: string | null
  /** Text of the most recent agent in this turn that had a text. null if no agent had one. */
  readonly lastText: string | null
  readonly patch: StatePatch
  readonly handoffTo: string | null
  readonly error: RunError | null
  /**
   * Whether the result of a tool with `skipSummarization` ended the turn. The model is then not
   * called again.
   */
  readonly answeredByTool: boolean
  readonly memory: AgentMemory | null
  /** Entries that the turn added to the session history. Empty in the graph-compose dialect. */
  readonly newEntries: History
  /**
   * Set if the machine has already emitted `state.changed` events for the state changes in `patch`.
   * The parent machine then does not emit them again.
   */
  readonly changesEmitted?: true
  /**
   * Whether an agent in this turn escalated, which also ends the enclosing loops. Only in the adk
   * dialect.
   */
  readonly escalates: boolean
  /** Set if an agent inside this agent escalated, but this agent itself did not. */
  readonly escalatedInside?: true
  /** Set if the agent of this parallel branch was skipped because its `when` condition is false. */
  readonly skipped?: true
  readonly at: number
}

/**
 * Returns whether the agent of this turn escalated. Returns false if only an agent inside this
 * agent escalated.
 */
export const escalatesItself = ({ signal, escalates, escalatedInside }: TurnOutput): boolean =>
  (signal === "escalated" || escalates) && escalatedInside !== true

/** Returns the output of a turn from the XState done event of the machine that ran the turn. */
export const turnOutputOf = (event: MachineEvent): TurnOutput => outputOf<TurnOutput>(event)

export function runErrorOf(agent: string, failure: CallFailure): RunError {
  return {
    code: failure.code,
    message: failure.message,
    agent,
    ...(failure.status !== undefined && { status: failure.status }),
  }
}

/**
 * Returns an error message that starts with its subject, such as `agent "writer" failed: timeout`.
 * If the message already contains the subject, it is returned unchanged.
 */
export const withSubject = (subject: string, message: string): string =>
  message.includes(subject) ? message : `${subject} failed: ${message}`
