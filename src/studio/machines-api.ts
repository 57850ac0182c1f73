// The JSON about the machines of a run that the server and the page exchange.

/**
 * A summary of a state machine (an XState actor) of a run, after a number of the run's journal
 * records.
 */
export interface ActorSummary {
  /** Id of the actor. It consists of the run id and a number. */
  readonly id: string
  /** Path of the agent to which the machine belongs. */
  readonly name: string
  /** Key of the machine in the chart, or the name of a built-in machine such as `llmAgent`. */
  readonly machine: string
  readonly parent: string | null
  readonly status: string
  /** The innermost active states. Each entry is a state path such as `running.calling`. */
  readonly states: readonly string[]
  /** Number of events that the machine has received. */
  readonly received: number
  /** Number of model, tool and other calls of the machine that have no result yet. */
  readonly inFlight: number
}

/** A column of the sequence diagram that stands for services or people instead of a machine. */
export type ServiceLane = "models" | "tools" | "people"

/**
 * A message in the sequence diagram of a run. It is sent between two machines, or between a machine
 * and a service.
 */
export interface SequenceMessage {
  /** Number of the message in the run, starting at 0. */
  readonly index: number
  /** The sender of the message, which is the id of a machine or the name of a service lane. */
  readonly from: string | ServiceLane
  /** The receiver of the message, which is the id of a machine or the name of a service lane. */
  readonly to: string | ServiceLane
  readonly kind: "start" | "call" | "result" | "event" | "end"
  readonly type: string
  /** Content of the message as text, shortened. */
  readonly text: string
}

/**
 * The machines and messages of a run that are new or have changed since the page's last request. If
 * there are many new messages, only the latest are included.
 */
export interface MachineChanges {
  /** The changed machines in the order in which they were created. */
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /**
   * Total number of messages of the run so far. The page sends this number with its next request to
   * get only newer messages.
   */
  readonly count: number
}

/** A state machine of a run with its XState snapshot and the latest events that it has received. */
export interface ActorDetails extends ActorSummary {
  readonly snapshot: unknown
  /** The latest events that the machine has received, oldest first. */
  readonly events: readonly { readonly type: string; readonly event: unknown }[]
  /**
   * Descriptions of the calls that the machine has made and that have no result yet, such as `tool
   * search`.
   */
  readonly waitsFor: readonly string[]
}
