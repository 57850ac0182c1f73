import type { UserContent } from "../../machines/contract/user-content.js"

/**
 * What happens with due times at which no server could start a run. `skip`: no run is started for
 * them. `run-once`: one run is started for the latest of them. `run-all`: a run is started for each
 * of them.
 */
export type MissedPolicy = "skip" | "run-once" | "run-all"

/**
 * What happens if the previous run of the schedule has not ended at a due time. `skip`: no run is
 * started. `allow`: another run is started.
 */
export type OverlapPolicy = "skip" | "allow"

/** When a schedule starts runs: the times of a cron expression, or a fixed interval. */
export type Timing =
  | {
      /** Cron expression with five fields, or six fields with seconds first. */
      readonly cron: string
      /** IANA name of the time zone of the expression. */
      readonly timezone: string
    }
  | {
      /**
       * Interval in milliseconds. The due times are the multiples of the interval since the epoch.
       */
      readonly everyMs: number
    }

/** A schedule that starts runs of a workflow. */
export interface Schedule {
  readonly name: string
  /** Id of a served workflow. */
  readonly workflow: string
  readonly timing: Timing
  readonly input: {
    readonly prompt?: UserContent | null
    readonly state?: Readonly<Record<string, unknown>>
    readonly context?: Readonly<Record<string, unknown>>
  }
  /** State key that receives the due time as ISO text; null: the run does not receive it. */
  readonly dueTimeKey: string | null
  readonly missed: MissedPolicy
  readonly overlap: OverlapPolicy
  /** Whether the schedule starts no runs. */
  readonly isPaused: boolean
}
