import { AgentStatechartsError } from "../../errors.js"
import { scheduleRunId } from "../../runtime/journal/schedule-run-id.js"
import type { Clock } from "../../runtime/driver/host.js"
import { HttpError } from "../../serving/http-error.js"
import { dueTimeText } from "./due-time-text.js"
import type { NextDueTime } from "./due-times.js"
import type { Schedule } from "./schedule.js"
import { timesToRun } from "./times-to-run.js"

/**
 * Functions with which the timer of a schedule starts runs, reads their end times and reports
 * failures.
 */
export interface ScheduleHost {
  readonly clock: Clock
  /** Starts the run for a due time. Does nothing if the journal already contains this run. */
  start(schedule: Schedule, run: { readonly runId: string; readonly dueAt: number }): Promise<void>
  /**
   * Returns the time at which a run ended, in milliseconds since the epoch. Returns null if the run
   * has not ended.
   */
  endOf(runId: string): Promise<number | null>
  /** Called once for each due time at which a run cannot be started. */
  onFailed(schedule: Schedule, dueAt: number, error: unknown): void
}

/** The last run that a schedule has started, with its due time in milliseconds since the epoch. */
export interface LastRun {
  readonly runId: string
  readonly dueAt: number
}

/** Delay before the next attempt to start a run, in milliseconds. */
const retryMs = 1_000

/**
 * Maximum time between two checks of the clock, in milliseconds. Long timers are not used, because
 * a timer does not notice that the clock was changed or that the computer was suspended.
 */
const longestWaitMs = 60_000

/**
 * Starts the runs of one schedule at its due times. All servers that share a journal have such a
 * timer, but the journal accepts only one run for each due time. Due times are processed in order.
 * The next due time is processed after the run for the previous one is stored or skipped.
 */
export class ScheduleTimer {
  readonly schedule: Schedule
  readonly #next: NextDueTime
  readonly #host: ScheduleHost
  /** Time up to which all due times have been processed, in milliseconds since the epoch. */
  #after: number
  #last: LastRun | null
  #reported: number | null = null
  #cancelTimer = (): void => {}
  #active: Promise<void> = Promise.resolve()
  #isStopped = false

  /**
   * Creates the timer of a schedule and starts it unless the schedule is paused. `last` is the last
   * run of the schedule in the journal. It is null for a new schedule.
   */
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

  /** Next due time of the schedule. Null if there is none, or if the schedule is paused. */
  get nextDueAt(): number | null {
    return this.schedule.isPaused ? null : this.#next(Math.max(this.#after, this.#host.clock.now()))
  }

  /** Stops the timer. If the timer is starting a run, waits until the run has started. */
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

  /** Starts or skips the run for a due time. Resolves to false if the start must be tried again. */
  async #isDone(dueAt: number): Promise<boolean> {
    const { schedule } = this
    try {
      if (schedule.overlap === "skip" && this.#last !== null) {
        // Several servers may check this at different times. To get the same result, they all use
        // the state of the previous run at the due time.
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
 * Returns whether a failed start of a run may succeed later, for example because too many runs are
 * open or the database is unreachable. All other errors mean that the workflow rejects its input.
 */
function isTemporary(error: unknown): boolean {
  if (error instanceof HttpError) return error.status === 429 || error.status === 503
  return !(error instanceof AgentStatechartsError) || error.code === "journal_failed"
}
