// The JSON about the machines of a run that the server and the page exchange.

/** A summary of one state machine of a run, at one position in the journal of the run. */
export interface ActorSummary {
  /** Id of the actor: the run id and a number. */
  readonly id: string
  /** Path of the agent that the machine belongs to. */
  readonly name: string
  /** Key of the machine in the chart, or the name of a built-in machine such as `llmAgent`. */
  readonly machine: string
  readonly parent: string | null
  readonly status: string
  /**
   * The innermost active states. Each is written as the keys of its nested states, joined by dots.
   */
  readonly states: readonly string[]
  /** Number of events that the machine has received. */
  readonly received: number
  /** Number of the machine's calls that have no result yet. */
  readonly inFlight: number
}

/** A lifeline of the sequence diagram that stands for services or people instead of a machine. */
export type ServiceLane = "models" | "tools" | "people"

/** An event between two machines, or between a machine and a service. */
export interface SequenceMessage {
  /** Number of the message in the run, from 0. */
  readonly index: number
  /** The sender of the message: the id of an actor, or a service. */
  readonly from: string | ServiceLane
  readonly to: string | ServiceLane
  readonly kind: "start" | "call" | "result" | "event" | "end"
  readonly type: string
  /** The content of the event, shortened. */
  readonly text: string
}

/**
 * The machines and messages of a run that are new or have changed since the page's last request. If
 * there are too many messages, only the latest messages are included.
 */
export interface MachineChanges {
  /** The changed machines in the order in which they were created. */
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /** Total number of messages of the run so far. The page sends it back with its next request. */
  readonly count: number
}

/** A machine with its snapshot and the latest events that it has received. */
export interface ActorDetails extends ActorSummary {
  readonly snapshot: unknown
  /** The latest events that the machine has received, oldest first. */
  readonly events: readonly { readonly type: string; readonly event: unknown }[]
  /** Texts that describe the machine's calls that have no result yet. */
  readonly waitsFor: readonly string[]
}
