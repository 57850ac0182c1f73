import type { Observable } from "rxjs"
import type { RunEvent, RunStatus } from "../../machines/contract/run-event.js"
import type { EventLog } from "../events/event-log.js"
import { CheckedControls, type RunControls, type RunOperations } from "./run-controls.js"

/** One execution of a chart. */
export interface Run extends RunControls {
  readonly runId: string
  /** The current status of the run. Cheaper than `snapshot()`, which copies the state. */
  readonly status: RunStatus
  /** All events of the run in order, past events first. Completes when the run has finished. */
  readonly events$: Observable<RunEvent>
}

/** The object through which programs read and control a run. */
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
}
