/**
 * The states and transitions of the XState machine that a MachineAgent runs, as JSON. The chart
 * contains them for drawings and comparisons. The machine itself, with its functions, is registered
 * with the runner.
 */
export interface UserMachine extends UserState {
  readonly id: string
}

/** A state of the XState machine that a MachineAgent runs. */
export interface UserState {
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history"
  /**
   * Key of the inner state that is entered first. Absent if the state has no initial inner state.
   */
  readonly initial?: string
  readonly invokes?: readonly { readonly id: string; readonly src: string }[]
  readonly transitions?: readonly UserTransition[]
  readonly states?: Readonly<Record<string, UserState>>
}

/** A transition of the XState machine that a MachineAgent runs. */
export interface UserTransition {
  /**
   * Type of the event that triggers the transition. An empty string if the transition needs no
   * event.
   */
  readonly event: string
  /**
   * Paths of the target states, such as `["checkout.paying"]`. Absent if the state does not change.
   */
  readonly targets?: readonly string[]
  readonly guard?: string
}

/**
 * An actor, such as an agent or a promise, that the XState machine of a MachineAgent has started.
 */
export interface StartedActor {
  /** Key of the actor, such as `"0"`. It is unique among all actors and timers of the machine. */
  readonly key: string
  /**
   * Name of the actor in the machine, such as `["writer"]`. If a nested machine has started the
   * actor, the names of the nested machines come first. For example, `["review", "writer"]` is
   * started by the nested machine `review`.
   */
  readonly src: readonly string[]
  readonly input: unknown
}

/** A delayed event or a delayed transition of the XState machine that a MachineAgent runs. */
export interface MachineTimer {
  readonly key: string
  /**
   * Ids of the actors that lead to the receiver of the event, from the outermost actor to the
   * receiver. Empty if the receiver is the machine itself.
   */
  readonly receiver: readonly string[]
  readonly id: string
  readonly event: unknown
  readonly delayMs: number
}

/**
 * An input that causes a transition of a MachineAgent's XState machine: an event, the end of a
 * timer, or the result or error of an actor. `key` identifies the timer or the actor.
 */
export type MachineInput =
  | { readonly type: "event"; readonly event: { readonly type: string } }
  | { readonly type: "timer"; readonly key: string }
  | { readonly type: "done"; readonly key: string; readonly output: unknown }
  | {
      readonly type: "error"
      readonly key: string
      readonly error: { readonly code: string; readonly message: string }
    }

/**
 * A request of a MachineAgent to the service that executes its XState machine. `start` starts the
 * machine, `send` sends an event to it, and `run` runs a promise actor.
 */
export type MachineRequest =
  | {
      readonly verb: "start"
      readonly input: unknown
      readonly agents: readonly string[]
      /**
       * States and transitions of the machine in the chart. If the registered machine has other
       * states or transitions, the service throws an error. null if the chart does not contain
       * them. In this case, the machines are not compared.
       */
      readonly machine: UserMachine | null
    }
  | {
      readonly verb: "send"
      readonly agents: readonly string[]
      readonly state: MachineState
      readonly event: MachineInput
    }
  | { readonly verb: "run"; readonly src: readonly string[]; readonly input: unknown }

/** The state of a MachineAgent's XState machine between two transitions. */
export interface MachineState {
  /** The persisted snapshot of the machine, as XState's `getPersistedSnapshot` returns it. */
  readonly snapshot: unknown
  /** Keys of the running actors that the machine has started, such as agents and promises. */
  readonly actors: readonly string[]
  readonly timers: readonly MachineTimer[]
  /**
   * Number of keys that have been assigned to actors and timers so far. The next key is this
   * number.
   */
  readonly keys: number
}

/** The result of one transition of a MachineAgent's XState machine. */
export interface MachineTransition {
  readonly state: MachineState
  /** Paths of the innermost active states, such as `["checkout.paying"]`. */
  readonly states: readonly string[]
  /** Types of the events that the active states accept from outside. `*` means every event. */
  readonly accepts: readonly string[]
  readonly status: "active" | "done" | "error"
  readonly output: unknown
  /** Error message if the machine has failed, otherwise null. */
  readonly error: string | null
  readonly started: readonly StartedActor[]
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
}
