import { AgentStatechartsError } from "../../errors.js"
import { scheduleRunId } from "../../runtime/journal/schedule-run-id.js"
import type { Clock } from "../../runtime/driver/host.js"
import { HttpError } from "../../serving/http-error.js"
import { dueTimeText } from "./due-time-text.js"
import type { NextDueTime } from "./due-times.js"
import type { Schedule } from "./schedule.js"
import { timesToRun } from "./times-to-run.js"

/** The functions of a server that a schedule uses. */
export interface ScheduleHost {
  readonly clock: Clock
  /** Starts the run of a due time. Does nothing if the journal already contains the run. */
  start(schedule: Schedule, run: { readonly runId: string; readonly dueAt: number }): Promise<void>
  /** Returns the time at which a run ended. Returns null if it has not ended. */
  endOf(runId: string): Promise<number | null>
  /** Called if the run of a due time cannot be started, once for each due time. */
  onFailed(schedule: Schedule, dueAt: number, error: unknown): void
}

/** The last run of a schedule. */
export interface LastRun {
  readonly runId: string
  readonly dueAt: number
}

/** Time after which the start of a run is tried again, in milliseconds. */
const retryMs = 1_000

/**
 * Maximum time between two comparisons with the clock, in milliseconds. A timer does not notice that
 * the clock was changed or that the computer was suspended.
 */
const longestWaitMs = 60_000

/**
 * Starts the runs of one schedule. All servers that share a journal do the same at the same time,
 * and the journal accepts the run of a due time only once. Due times are processed in order: a due
 * time is only left behind after its run is stored, or after the schedule has skipped it.
 */
export class ScheduleTimer {
  readonly schedule: Schedule
  readonly #next: NextDueTime
  readonly #host: ScheduleHost
  /** All due times up to this time are done. */
  #after: number
  #last: LastRun | null
  #reported: number | null = null
  #cancelTimer = (): void => {}
  #active: Promise<void> = Promise.resolve()
  #isStopped = false

  /** `last` is the last run of the schedule in the journal; null: the schedule is new. */
  constructor(schedule: Schedule, next: NextDueTime, last: LastRun | null, host: ScheduleHost) {
    this.schedule = schedule
    this.#next = next
    this.#host = host
    this.#last = last
    this.#after = last?.dueAt ?? host.clock.now()
    if (!schedule.isPaused) this.#active = this.#run()
  }

  get last(): LastRun | null {
    return this.#last
  }

  /** The next due time; null if there is none, or if the schedule is paused. */
  get nextDueAt(): number | null {
    return this.schedule.isPaused ? null : this.#next(Math.max(this.#after, this.#host.clock.now()))
  }

  /** Stops the schedule. Resolves after a start in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    await this.#active
  }

  async #run(): Promise<void> {
    const { clock } = this.#host
    const now = clock.now()
    const { missed } = this.schedule
    for (const dueAt of timesToRun(this.#next, { after: this.#after, now, missed })) {
      if (this.#isStopped) return
      if (!(await this.#isDone(dueAt))) return this.#wakeAt(clock.now() + retryMs)
      this.#after = dueAt
    }
    this.#after = Math.max(this.#after, now)
    const next = this.#next(this.#after)
    if (next !== null) this.#wakeAt(Math.min(next, clock.now() + longestWaitMs))
  }

  #wakeAt(time: number): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#host.clock.wakeAt(time, () => {
      this.#active = this.#run()
    })
  }

  /** Starts or skips the run of a due time. Returns false if the start must be tried again. */
  async #isDone(dueAt: number): Promise<boolean> {
    const { schedule } = this
    try {
      if (schedule.overlap === "skip" && this.#last !== null) {
        // Servers may check this at different times, so only the state at the due time counts.
        const end = await this.#host.endOf(this.#last.runId)
        if (end === null || end > dueAt) return true
      }
      const runId = scheduleRunId({ schedule: schedule.name, dueTime: dueTimeText(dueAt) })
      await this.#host.start(schedule, { runId, dueAt })
      this.#last = { runId, dueAt }
      return true
    } catch (error) {
      if (this.#reported !== dueAt) this.#host.onFailed(schedule, dueAt, error)
      this.#reported = dueAt
      return !isTemporary(error)
    }
  }
}

/**
 * Returns whether the start can succeed later, for example if too many runs are open or the database
 * is unreachable. The other errors of a start say that the workflow refuses its input.
 */
function isTemporary(error: unknown): boolean {
  if (error instanceof HttpError) return error.status === 429 || error.status === 503
  return !(error instanceof AgentStatechartsError) || error.code === "journal_failed"
}
