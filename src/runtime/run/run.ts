import type { Observable } from "rxjs"
import type { RunEvent, RunResult, RunStatus } from "../../machines/contract/run-event.js"
import type { EventLog } from "../events/event-log.js"
import { CheckedControls, type RunControls, type RunOperations } from "./run-controls.js"

/** One execution of a chart. Use it to read the events and the result, and to answer requests. */
export interface Run extends RunControls {
  readonly runId: string
  /**
   * Current status of the run. Reading it is faster than calling `snapshot`, because `snapshot`
   * copies the session state.
   */
  readonly status: RunStatus
  /**
   * All events of the run. A subscriber first receives all past events in order. The stream
   * completes when the run has finished.
   */
  readonly events$: Observable<RunEvent>
  /** @deprecated Use `whenSettled`, the current name of this method. */
  rest(): Promise<RunResult>
}

/** Implements `Run`. `runner.start` and `runner.resume` return an instance of this class. */
export class RunHandle extends CheckedControls implements Run {
  readonly runId: string
  readonly #run: { readonly status: RunStatus }
  readonly #log: EventLog

  constructor(run: RunOperations & { readonly status: RunStatus }, runId: string, log: EventLog) {
    super(run)
    this.runId = runId
    this.#run = run
    this.#log = log
  }

  get status(): RunStatus {
    return this.#run.status
  }

  get events$(): Observable<RunEvent> {
    return this.#log.events$
  }

  rest(): Promise<RunResult> {
    return this.whenSettled()
  }
}
