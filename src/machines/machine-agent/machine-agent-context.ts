import type { LinkedList } from "../data/linked-list.js"
import type { History } from "../contract/history.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { AgentLocation, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput } from "../contract/turn.js"
import type { MachineInput, MachineState, UserMachine } from "../contract/host/user-machine.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"

/**
 * The settings of a MachineAgent in a chart. `service` is the name of the registered XState
 * machine.
 */
interface MachineAgentSpec {
  readonly service: string
  /**
   * Fields of the machine's input, with the session state keys that contain their values. If
   * absent, the input has no fields.
   */
  readonly keys?: Readonly<Record<string, string>>
  readonly outputKey?: string
  /**
   * The agents that the XState machine can invoke. `src` is the key of the chart's machine that
   * runs the agent.
   */
  readonly agents: readonly { readonly agent: string; readonly src: string }[]
  /** The states of the XState machine. Absent if the config does not contain them. */
  readonly machine?: UserMachine
  /** Maximum number of agents that one turn starts. If absent, there is no limit. */
  readonly maxAgentRuns?: number
  /**
   * If set, the model signal `exitFlow` in an agent of the XState machine ends only the turn of
   * this agent. If absent, it ends the workflow.
   */
  readonly subAgentExitFlow?: "agent"
}

export type MachineAgentInput = TurnInput & { readonly spec: MachineAgentSpec }

/** An actor that the XState machine of a MachineAgent has started and that is still running. */
export interface RunningActor {
  /** Id of the agent. null if the actor is not an agent. */
  readonly agent: string | null
  readonly name: string
  readonly path: string
  readonly isPaused: boolean
}

export interface MachineAgentContext {
  readonly input: MachineAgentInput
  at: number
  state: SessionState
  /**
   * State of the MachineAgent's XState machine after its last transition. null before the first
   * transition.
   */
  machine: MachineState | null
  /** Paths of the innermost active states of the XState machine. */
  states: readonly string[]
  accepts: readonly string[]
  /**
   * Events that the XState machine receives after the current transition has ended, oldest first.
   */
  queue: readonly MachineInput[]
  isTransitioning: boolean
  transitions: number
  /** Running actors of the XState machine, by the key of the actor. */
  actors: Readonly<Record<string, RunningActor>>
  /** Number of actors that the XState machine has started so far. */
  started: number
  /** Number of agents that the XState machine has started so far. */
  agentRuns: number
  /** End time of each running timer by the key of the timer, in milliseconds since the epoch. */
  timers: Readonly<Record<string, number>>
  /** Number of pending requests that the MachineAgent has created so far. */
  requests: number
  request: PendingRequest | null
  output: unknown
  lastText: string | null
  newEntries: LinkedList<History> | null
  escalates: boolean
  paused: boolean
  /**
   * Whether the run is ending and has stopped an actor of the MachineAgent's XState machine. The
   * XState machine then makes no further transition.
   */
  isStopping: boolean
  ending: "done" | "limited" | "exited" | "failed" | null
  signal: Outcome | null
  error: RunError | null
}

export const machineAgentContext = (input: MachineAgentInput): MachineAgentContext => ({
  input,
  at: input.at,
  state: forkState(input.state),
  machine: null,
  states: [],
  accepts: [],
  queue: [],
  isTransitioning: false,
  transitions: 0,
  actors: {},
  started: 0,
  agentRuns: 0,
  timers: {},
  requests: 0,
  request: null,
  output: null,
  lastText: null,
  newEntries: null,
  escalates: false,
  paused: false,
  isStopping: false,
  ending: null,
  signal: null,
  error: null,
})

export const machineLocation = ({ agent, path, branch }: TurnInput): AgentLocation => ({
  agent,
  path,
  branch,
})

/** Ends the MachineAgent with an error. Does nothing if the MachineAgent is already ending. */
export function failMachine(context: MachineAgentContext, error: RunError): void {
  context.ending ??= "failed"
  context.error ??= error
}

export const without = <Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== key))
