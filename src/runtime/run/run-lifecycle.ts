import type { RunError, RunStatus } from "../../machines/contract/run-event.js"

/** The states of a run in this process (docs/architecture.md#lifecycle-of-a-run). */
export type RunState =
  /** The run has not started. It may wait for its session. */
  | "created"
  /** Calls are in flight, or records are being stored. */
  | "running"
  /** Nothing happens until a person answers a pending request, or a deadline passes. */
  | "waiting"
  /** The run is between two invocations (adk). A user message starts the next one. */
  | "idle"
  /** The run has a result. Its session and its journal are being stored and released. */
  | "closing"
  /** The journal has released the run, and its event stream is complete. */
  | "closed"
  /** The run was stopped in this process without a record, so that it can be resumed. */
  | "suspended"

/** The changes of state. */
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
 * The state after each transition. A transition that a state does not list is not allowed.
 *
 * A suspended run still processes the records that were queued before the suspension, so it can
 * finish or start an invocation, or close.
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

/** The status that a transition reports. A transition without a status keeps the status. */
const statusAfter: Readonly<Partial<Record<RunTransition, RunStatus>>> = {
  start: "running",
  continue: "running",
  wait: "waiting",
  finishInvocation: "running",
  completeInvocation: "completed",
  startInvocation: "running",
}

/** The state machine of one run. */
export class RunLifecycle {
  #state: RunState = "created"
  #status: RunStatus = "running"
  #error: RunError | null = null

  get state(): RunState {
    return this.#state
  }

  /**
   * The status that the run reports. An idle run reports `completed` after its session was
   * stored. A suspended run reports the status that it had.
   */
  get status(): RunStatus {
    return this.#status
  }

  /** Why the run failed or reached a limit; otherwise null. */
  get error(): RunError | null {
    return this.#error
  }

  /** Whether the run has no result yet. */
  get isUnfinished(): boolean {
    return this.#state !== "closing" && this.#state !== "closed"
  }

  /** Whether the run can process messages: it is neither finished nor suspended. */
  get isActive(): boolean {
    return this.isUnfinished && this.#state !== "suspended"
  }

  /** Changes the state. Returns false and changes nothing if the transition is not allowed. */
  apply(transition: Exclude<RunTransition, "close">): boolean {
    if (!this.#change(transition)) return false
    this.#status = statusAfter[transition] ?? this.#status
    return true
  }

  /** Closes the run with its result. Returns false if the run already has a result. */
  close(status: RunStatus, error: RunError | null): boolean {
    if (!this.#change("close")) return false
    this.#status = status
    this.#error = error
    return true
  }

  /** Replaces the result of a closing run, because its session could not be stored. */
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
