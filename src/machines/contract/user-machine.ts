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
  /** Key of the first inner state. */
  readonly initial?: string
  readonly invokes?: readonly { readonly id: string; readonly src: string }[]
  readonly transitions?: readonly UserTransition[]
  readonly states?: Readonly<Record<string, UserState>>
}

/** A transition of a user's machine. */
export interface UserTransition {
  /** Name of the event; empty for a transition without an event. */
  readonly event: string
  /** Paths of the target states: state keys, joined by dots. Absent if the state does not change. */
  readonly targets?: readonly string[]
  readonly guard?: string
}

/** Start of an agent or of another actor of a user's machine. */
export interface StartedActor {
  /** Key that is unique in the run of the machine. */
  readonly key: string
  /** Names of the machines that contain the actor, and its own name, outermost first. */
  readonly src: readonly string[]
  readonly input: unknown
}

/** Delayed event of a user's machine. */
export interface MachineTimer {
  readonly key: string
  /** Ids of the actors that contain the receiver and of the receiver; empty: the machine itself. */
  readonly receiver: readonly string[]
  readonly id: string
  readonly event: unknown
  readonly delayMs: number
}

/** The event for which a user's machine takes a transition. */
export type MachineInput =
  | { readonly type: "event"; readonly event: { readonly type: string } }
  | { readonly type: "timer"; readonly key: string }
  | { readonly type: "done"; readonly key: string; readonly output: unknown }
  | {
      readonly type: "error"
      readonly key: string
      readonly error: { readonly code: string; readonly message: string }
    }

/** What a MachineAgent asks its service to do. */
export type MachineRequest =
  | {
      readonly verb: "start"
      readonly input: unknown
      readonly agents: readonly string[]
      /** The machine in the chart; null if the chart does not contain it. */
      readonly machine: UserMachine | null
    }
  | {
      readonly verb: "send"
      readonly agents: readonly string[]
      readonly state: MachineState
      readonly event: MachineInput
    }
  | { readonly verb: "run"; readonly src: readonly string[]; readonly input: unknown }

/** The state of a user's machine between two transitions. */
export interface MachineState {
  /** The persisted snapshot of XState. */
  readonly snapshot: unknown
  /** Keys of the running actors. */
  readonly actors: readonly string[]
  readonly timers: readonly MachineTimer[]
  /** Number of keys that were assigned. */
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
  /** Message of the error of the machine; null if there is none. */
  readonly error: string | null
  readonly started: readonly StartedActor[]
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
}
