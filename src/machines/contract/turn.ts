import type { CallFailure, Message } from "./services.js"
import type { BranchHistory, History } from "./history.js"
import type { Outcome, RunError } from "./run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import type { MachineEvent, RunLocation } from "./machine-kind.js"

/** What an agent's machine is started with: an LlmAgent, a HumanAgent, or the machine of a whole subtree. */
export interface TurnInput extends RunLocation {
  readonly agent: string
  /** The state that the turn starts with. It writes a patch of its own. */
  readonly state: SessionState
  /** Index of the innermost loop around the agent; null outside of loops. */
  readonly iteration: number | null
  /** What a fresh conversation starts with. */
  readonly prompt: readonly Message[]
  /** What was said so far, in the adk dialect; null where conversations are apart. */
  readonly history: BranchHistory | null
  /** The conversation so far, where the agent has spoken before and keeps it. */
  readonly memory: AgentMemory | null
  /** Whether the conversation is to come back with the output. */
  readonly remember: boolean
  readonly at: number
}

/** What an agent that is asked again keeps between its turns. */
export interface AgentMemory {
  readonly conversation: readonly Message[]
  /** Ordinal of its next model call at its path. */
  readonly calls: number
}

/** How a turn ended, whatever kind of machine it was. */
export interface TurnOutput {
  readonly signal: Outcome
  /** Its final text; of a container that of the last agent that ran. null: none. */
  readonly text: string | null
  /** The last text that was not null. */
  readonly lastText: string | null
  readonly patch: StatePatch
  readonly handoffTo: string | null
  readonly error: RunError | null
  /** The turn ended with a tool's result (`skipSummarization`): nothing is to be asked again. */
  readonly answeredByTool: boolean
  readonly memory: AgentMemory | null
  /** What it added to the history; empty where conversations are apart. */
  readonly spoken: History
  /** An agent below escalated, so that loops further up end as well (adk). */
  readonly escalates: boolean
  readonly at: number
}

/** What the child whose done event this is came to, where the child is an agent's turn. */
export const turnOutputOf = (event: MachineEvent): TurnOutput => event["output"] as TurnOutput

export function runErrorOf(agent: string, failure: CallFailure): RunError {
  return {
    code: failure.code,
    message: failure.message,
    agent,
    ...(failure.status === undefined ? {} : { status: failure.status }),
  }
}

/** A message that says who it speaks of; adapters often do already. */
export const named = (subject: string, message: string): string =>
  message.includes(subject) ? message : `${subject} failed: ${message}`
