import type { JsonObject } from "../data/json-object.js"
import { outputOf } from "./machine-event.js"
import type { CallFailure, Message } from "./services.js"
import type { BranchHistory, History } from "./history.js"
import type { Outcome, RunError } from "./run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import type { RunLocation } from "./machine-kind.js"
import type { MachineEvent } from "./machine-event.js"

/** Input of the machine that runs one turn of an agent or of a subtree of agents. */
export interface TurnInput extends RunLocation {
  readonly agent: string
  /** The session state at the start of the turn. The turn returns its state changes as a patch. */
  readonly state: SessionState
  /** Iteration index of the innermost enclosing loop; null if no loop contains the agent. */
  readonly iteration: number | null
  /** The messages with which a new conversation starts. */
  readonly prompt: readonly Message[]
  /** Session history at the start of the turn (adk); null in graph-compose. */
  readonly history: BranchHistory | null
  /**
   * The agent's conversation from earlier turns, if it is kept between turns; null if there is
   * none.
   */
  readonly memory: AgentMemory | null
  /**
   * Whether the output of the turn must include the agent's conversation, because the agent can
   * have another turn.
   */
  readonly remember: boolean
  /** The JSON schema of the task's result; absent if the agent has no task. */
  readonly task?: { readonly schema: JsonObject }
  /**
   * Values for placeholders in instructions: the input of the graph node that runs the agent, and
   * the last outputs of the other nodes by node id. Absent outside graphs with `triggering:
   * "each"`.
   */
  readonly nodeValues?: { readonly input: unknown; readonly outputs: JsonObject }
  readonly at: number
}

/** The data that an agent keeps between its turns. */
export interface AgentMemory {
  readonly conversation: readonly Message[]
  /** Number of the next model call that the agent makes at its path. */
  readonly calls: number
}

/** Result of a turn. All kinds of agents and containers have this type of result. */
export interface TurnOutput {
  readonly signal: Outcome
  /**
   * Final text of the agent. For a container, the text of its last agent. null if there is none.
   */
  readonly text: string | null
  /** The text of the last agent in this turn that had a text. null if no agent had one. */
  readonly lastText: string | null
  readonly patch: StatePatch
  readonly handoffTo: string | null
  readonly error: RunError | null
  /**
   * Whether the result of a tool ended the turn (`skipSummarization`). The agent is then not called
   * again.
   */
  readonly answeredByTool: boolean
  readonly memory: AgentMemory | null
  /** Entries that the turn added to the session history; empty in graph-compose. */
  readonly newEntries: History
  /**
   * Set if the machine has already emitted the `state.changed` events, so that the parent does not
   * emit them again.
   */
  readonly changesEmitted?: true
  /** Whether an agent in this turn escalated, which also ends the enclosing loops (adk). */
  readonly escalates: boolean
  /** Set if an agent inside this agent escalated, and this agent itself did not. */
  readonly escalatedInside?: true
  /** Set if the agent of this branch was skipped because of its `when` condition. */
  readonly skipped?: true
  readonly at: number
}

/**
 * Returns whether the agent of a turn escalated itself. Returns false if only an agent inside it
 * escalated.
 */
export const escalatesItself = ({ signal, escalates, escalatedInside }: TurnOutput): boolean =>
  (signal === "escalated" || escalates) && escalatedInside !== true

/** Returns the output of a turn from the done event of its machine. */
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
 * Returns an error message that names its subject. Adds the subject to the message unless the
 * message already contains it.
 */
export const named = (subject: string, message: string): string =>
  message.includes(subject) ? message : `${subject} failed: ${message}`
