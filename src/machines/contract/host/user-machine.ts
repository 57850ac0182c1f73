/**
 * The states and transitions of an XState machine that a MachineAgent runs, as JSON. The machine
 * itself, with its functions, is a service of the runner.
 */
export interface UserMachine extends UserState {
  readonly id: string
}

/** A state of a user's machine. */
export interface UserState {
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history"
  /** Key of the inner state that is entered first. Absent if the state has no inner states. */
  readonly initial?: string
  readonly invokes?: readonly { readonly id: string; readonly src: string }[]
  readonly transitions?: readonly UserTransition[]
  readonly states?: Readonly<Record<string, UserState>>
}

/** A transition of a user's machine. */
export interface UserTransition {
  /** Type of the event that triggers the transition. Empty if the transition needs no event. */
  readonly event: string
  /** Paths of the target states: state keys, joined by dots. Absent if the state does not change. */
  readonly targets?: readonly string[]
  readonly guard?: string
}

/** An agent or another actor that a user's XState machine has started. */
export interface StartedActor {
  /** Key that is unique in the run of the machine. */
  readonly key: string
  /**
   * Names of the machines that contain the actor, outermost first, followed by the name of the
   * actor's source.
   */
  readonly src: readonly string[]
  readonly input: unknown
}

/** A delayed event of a user's machine. */
export interface MachineTimer {
  readonly key: string
  /**
   * Ids of the actors that lead to the receiver of the event, from the outermost actor to the
   * receiver. Empty if the machine itself receives the event.
   */
  readonly receiver: readonly string[]
  readonly id: string
  readonly event: unknown
  readonly delayMs: number
}

/** An event that is sent to a user's machine. */
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
 * A request of a MachineAgent to its service: start the machine, send an event to it, or run an
 * actor.
 */
export type MachineRequest =
  | {
      readonly verb: "start"
      readonly input: unknown
      readonly agents: readonly string[]
      /**
       * States and transitions of the machine from the chart; null if the chart does not contain
       * them.
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

/** The state of a user's XState machine between two transitions. */
export interface MachineState {
  /** The persisted XState snapshot of the machine. */
  readonly snapshot: unknown
  /** Keys of the running actors. */
  readonly actors: readonly string[]
  readonly timers: readonly MachineTimer[]
  /**
   * Number of keys that have been assigned to actors and timers so far. The key of the next actor
   * or timer is derived from this number.
   */
  readonly keys: number
}

/** The result of a transition of a user's machine. */
export interface MachineTransition {
  readonly state: MachineState
  /** Paths of the innermost active states. */
  readonly states: readonly string[]
  /** Names of the events that the active states accept from outside. `*`: every event. */
  readonly accepts: readonly string[]
  readonly status: "active" | "done" | "error"
  readonly output: unknown
  /** Error message if the machine has failed; otherwise null. */
  readonly error: string | null
  readonly started: readonly StartedActor[]
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
}
