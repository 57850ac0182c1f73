import type { RunError, RunStatus } from "../../machines/contract/run-event.js"

/** Lifecycle state of a run in this process (docs/architecture.md#lifecycle-of-a-run). */
export type RunState =
  /** The run has not started. It may be waiting until its session is free. */
  | "created"
  /** The run executes calls, or its records are being stored. */
  | "running"
  /** The run continues only if a person answers a pending request or a deadline passes. */
  | "waiting"
  /**
   * The run is between two invocations (adk dialect). A user message starts the next invocation.
   */
  | "idle"
  /** The run has a result. Its session is being saved, and the journal is releasing the run. */
  | "closing"
  /** The journal has released the run, and its event stream is complete. */
  | "closed"
  /** The run was stopped without storing a record, so that it can be resumed. */
  | "suspended"

/** The events that change the lifecycle state of a run. */
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
 * The next state for each state and transition. If a transition is not listed for a state, it is
 * not allowed in this state.
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
 * The status that the run reports after each transition. A transition that is not listed does not
 * change the status.
 */
const statusAfter: Readonly<Partial<Record<RunTransition, RunStatus>>> = {
  start: "running",
  continue: "running",
  wait: "waiting",
  finishInvocation: "running",
  completeInvocation: "completed",
  startInvocation: "running",
}

/**
 * Lifecycle state machine of one run. It stores the current state, the status and the error of the
 * run.
 */
export class RunLifecycle {
  #state: RunState = "created"
  #status: RunStatus = "running"
  #error: RunError | null = null

  get state(): RunState {
    return this.#state
  }

  /**
   * Status that the run reports. After an invocation, the run reports `completed` only when its
   * session is saved. A suspended run reports the status that it had before.
   */
  get status(): RunStatus {
    return this.#status
  }

  /** Error of a run that failed or reached a limit. null for all other runs. */
  get error(): RunError | null {
    return this.#error
  }

  /** True if the run has no result yet. */
  get isUnfinished(): boolean {
    return this.#state !== "closing" && this.#state !== "closed"
  }

  /**
   * True if an invocation has completed, its session is saved, and no further invocation has
   * started.
   */
  get hasCompletedInvocation(): boolean {
    return this.#state === "idle" && this.#status === "completed"
  }

  /** True if the run can process messages. A finished or suspended run cannot. */
  get isActive(): boolean {
    return this.isUnfinished && this.#state !== "suspended"
  }

  /**
   * Applies a transition and returns true. If the transition is not allowed in the current state,
   * changes nothing and returns false.
   */
  apply(transition: Exclude<RunTransition, "close">): boolean {
    if (!this.#change(transition)) return false
    this.#status = statusAfter[transition] ?? this.#status
    return true
  }

  /**
   * Sets the result of the run and starts to close the run. Returns false if the run already has a
   * result.
   */
  close(status: RunStatus, error: RunError | null): boolean {
    if (!this.#change("close")) return false
    this.#status = status
    this.#error = error
    return true
  }

  /**
   * Replaces the result by an error, because the session of the run could not be saved. The run has
   * the state `closing`.
   */
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
