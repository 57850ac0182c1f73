import type { RunError, RunStatus } from "../../machines/contract/run-event.js"

/** The lifecycle states of a run in this process (docs/architecture.md#lifecycle-of-a-run). */
export type RunState =
  /** The run has not started. It may be waiting for its session. */
  | "created"
  /** Calls are in flight, or records are being stored. */
  | "running"
  /** The run continues only if a person answers a pending request or a deadline passes. */
  | "waiting"
  /** The run is between two invocations (adk). A user message starts the next invocation. */
  | "idle"
  /** The run has a result. Its session is being saved, and its journal is being released. */
  | "closing"
  /** The journal has released the run, and its event stream is complete. */
  | "closed"
  /** The run was stopped without storing a record, so that it can be resumed. */
  | "suspended"

/** The transitions between the lifecycle states of a run. */
export type RunTransition =
  | "start"
  | "wait"
  | "continue"
  | "finishInvocation"
  | "completeInvocation"
  | "startInvocation"
  | "suspend"
  | "close"
  | "release"

type Transitions = Readonly<Partial<Record<RunTransition, RunState>>>

/**
 * The next state for each state and transition. A transition that is not listed is not allowed in
 * the state.
 *
 * A suspended run still processes the records that were queued before it was suspended. Therefore
 * it can finish an invocation, start an invocation, or close.
 */
export const runTransitions: Readonly<Record<RunState, Transitions>> = {
  created: { start: "running", close: "closing" },
  running: {
    wait: "waiting",
    continue: "running",
    finishInvocation: "idle",
    suspend: "suspended",
    close: "closing",
  },
  waiting: {
    wait: "waiting",
    continue: "running",
    finishInvocation: "idle",
    suspend: "suspended",
    close: "closing",
  },
  idle: {
    completeInvocation: "idle",
    startInvocation: "running",
    suspend: "suspended",
    close: "closing",
  },
  closing: { release: "closed" },
  closed: {},
  suspended: {
    finishInvocation: "suspended",
    startInvocation: "suspended",
    close: "closing",
  },
}

/**
 * The run's status after each transition. A transition that is not listed does not change the
 * status.
 */
const statusAfter: Readonly<Partial<Record<RunTransition, RunStatus>>> = {
  start: "running",
  continue: "running",
  wait: "waiting",
  finishInvocation: "running",
  completeInvocation: "completed",
  startInvocation: "running",
}

/** The lifecycle state machine of one run. */
export class RunLifecycle {
  #state: RunState = "created"
  #status: RunStatus = "running"
  #error: RunError | null = null

  get state(): RunState {
    return this.#state
  }

  /**
   * Status that the run reports. An idle run reports `completed` only after its session was saved.
   * A suspended run reports the status that it had before.
   */
  get status(): RunStatus {
    return this.#status
  }

  /** Error of a run that failed or reached a limit; otherwise null. */
  get error(): RunError | null {
    return this.#error
  }

  /** Whether the run does not have a result yet. */
  get isUnfinished(): boolean {
    return this.#state !== "closing" && this.#state !== "closed"
  }

  /**
   * Whether an invocation has completed, the session was saved, and no further invocation has
   * started.
   */
  get hasCompletedInvocation(): boolean {
    return this.#state === "idle" && this.#status === "completed"
  }

  /** Whether the run can process messages. A finished or suspended run cannot. */
  get isActive(): boolean {
    return this.isUnfinished && this.#state !== "suspended"
  }

  /**
   * Applies a transition. If it is not allowed in the current state, nothing changes and false is
   * returned.
   */
  apply(transition: Exclude<RunTransition, "close">): boolean {
    if (!this.#change(transition)) return false
    this.#status = statusAfter[transition] ?? this.#status
    return true
  }

  /**
   * Sets the result of the run and starts to close it. Returns false if the run already has a
   * result.
   */
  close(status: RunStatus, error: RunError | null): boolean {
    if (!this.#change("close")) return false
    this.#status = status
    this.#error = error
    return true
  }

  /** Replaces the result of a closing run with an error, because its session could not be saved. */
  fail(error: RunError): void {
    this.#status = "failed"
    this.#error = error
  }

  #change(transition: RunTransition): boolean {
    const next = runTransitions[this.#state][transition]
    if (next === undefined) return false
    this.#state = next
    return true
  }
}
