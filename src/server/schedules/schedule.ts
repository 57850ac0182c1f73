import type { UserContent } from "../../machines/contract/user-content.js"

/**
 * What a schedule does for missed due times, at which no server could start a run. `skip` starts no
 * run for them. `run-once` starts one run for the latest of them. `run-all` starts a run for each.
 */
export type MissedPolicy = "skip" | "run-once" | "run-all"

/**
 * What a schedule does at a due time if its previous run has not ended. `skip` starts no run.
 * `allow` starts another run.
 */
export type OverlapPolicy = "skip" | "allow"

/**
 * Times at which a schedule starts runs. They are defined by a cron expression or a fixed interval.
 */
export type Timing =
  | {
      /** Cron expression with five fields, or with six fields, of which the first is seconds. */
      readonly cron: string
      /**
       * IANA name of the time zone in which the cron expression is evaluated, such as
       * `Europe/Rome`.
       */
      readonly timezone: string
    }
  | {
      /**
       * Interval in milliseconds. The schedule starts runs at multiples of the interval since the
       * epoch.
       */
      readonly everyMs: number
    }

/** A schedule that starts runs of a workflow at certain times. */
export interface Schedule {
  readonly name: string
  /** Id of the workflow to start, which the server must serve. */
  readonly workflow: string
  readonly timing: Timing
  readonly input: {
    readonly prompt?: UserContent | null
    readonly state?: Readonly<Record<string, unknown>>
    readonly context?: Readonly<Record<string, unknown>>
  }
  /**
   * Key of the session state in which a run receives its due time as ISO 8601 text. Null if runs do
   * not receive it.
   */
  readonly dueTimeKey: string | null
  readonly missed: MissedPolicy
  readonly overlap: OverlapPolicy
  /** Whether the schedule is paused and starts no runs. */
  readonly isPaused: boolean
}
