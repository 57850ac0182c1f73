// The JSON about the machines of a run that the server and the page exchange.

/** A state machine of a run, and its state after a number of journal records. */
export interface ActorSummary {
  /** Id of the actor: the run id and a number. */
  readonly id: string
  /** Path of the agent that the machine belongs to. */
  readonly name: string
  /** Key of the machine in the chart, or the name of a built-in machine such as `llmAgent`. */
  readonly machine: string
  readonly parent: string | null
  readonly status: string
  /** The innermost active states, each as its keys joined by dots. */
  readonly states: readonly string[]
  /** Number of events that the machine has received. */
  readonly received: number
  /** Number of calls that have no result yet. */
  readonly inFlight: number
}

/**
 * A lifeline of the sequence diagram for services or people, next to the lifelines of the machines.
 */
export type ServiceLane = "models" | "tools" | "people"

/** An event between two machines, or between a machine and a service. */
export interface SequenceMessage {
  /** Number of the message in the run, from 0. */
  readonly index: number
  /** Id of an actor, or a service. */
  readonly from: string | ServiceLane
  readonly to: string | ServiceLane
  readonly kind: "start" | "call" | "result" | "event" | "end"
  readonly type: string
  /** The content of the event, shortened. */
  readonly text: string
}

/**
 * The machines of a run that have changed since a number of messages, and the messages since then.
 * If there are too many messages, only the latest messages are included.
 */
export interface MachineChanges {
  /** A machine precedes the machines that were created after it. */
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /** Number of all messages of the run. The next request for changes contains this number. */
  readonly count: number
}

/** A machine with its snapshot and the latest events that it has received. */
export interface ActorDetails extends ActorSummary {
  readonly snapshot: unknown
  /** The latest events that the machine has received, oldest first. */
  readonly events: readonly { readonly type: string; readonly event: unknown }[]
  /** The calls that have no result yet. */
  readonly waitsFor: readonly string[]
}
