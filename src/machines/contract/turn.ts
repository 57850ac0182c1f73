import { outputOf } from "./machine-event.js"
import type { CallFailure, Message } from "./services.js"
import type { BranchHistory, History } from "./history.js"
import type { Outcome, RunError } from "./run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import type { RunLocation } from "./machine-kind.js"
import type { MachineEvent } from "./machine-event.js"

/** Input of the machine of an agent or of a subtree. */
export interface TurnInput extends RunLocation {
  readonly agent: string
  /** The state at the start of the turn. The turn returns its changes as a patch. */
  readonly state: SessionState
  /** Index of the innermost loop around the agent; null outside of loops. */
  readonly iteration: number | null
  /** First messages of a new conversation. */
  readonly prompt: readonly Message[]
  /** Session history so far (adk); null in graph-compose. */
  readonly history: BranchHistory | null
  /** The earlier conversation of this agent, if it keeps one between turns. */
  readonly memory: AgentMemory | null
  /** Whether the output must include the conversation. */
  readonly remember: boolean
  readonly at: number
}

/** The data that an agent keeps between its turns. */
export interface AgentMemory {
  readonly conversation: readonly Message[]
  /** Ordinal of its next model call at its path. */
  readonly calls: number
}

/** Result of a turn, for all kinds of agents. */
export interface TurnOutput {
  readonly signal: Outcome
  /** Final text; for a container, the text of its last agent. null if there is none. */
  readonly text: string | null
  /** The last text that was not null. */
  readonly lastText: string | null
  readonly patch: StatePatch
  readonly handoffTo: string | null
  readonly error: RunError | null
  /**
   * Whether the turn ended with the result of a tool (`skipSummarization`). The agent is then not
   * called again.
   */
  readonly answeredByTool: boolean
  readonly memory: AgentMemory | null
  /** Entries that the turn added to the history; empty in graph-compose. */
  readonly spoken: History
  /** Whether an agent in this subtree escalated, which also ends the enclosing loops (adk). */
  readonly escalates: boolean
  readonly at: number
}

/** Returns the output of a turn from the done event of its machine. */
export const turnOutputOf = (event: MachineEvent): TurnOutput => outputOf<TurnOutput>(event)

export function runErrorOf(agent: string, failure: CallFailure): RunError {
  return {
    code: failure.code,
    message: failure.message,
    agent,
    ...(failure.status === undefined ? {} : { status: failure.status }),
  }
}

/** Adds the subject to an error message if the message does not name it yet. */
export const named = (subject: string, message: string): string =>
  message.includes(subject) ? message : `${subject} failed: ${message}`
