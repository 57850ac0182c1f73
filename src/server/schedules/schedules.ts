import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { Clock } from "../../runtime/driver/host.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { latestScheduledRuns } from "../../runtime/journal/schedule-run-id.js"
import { endedStatuses } from "../../runtime/journal/prune-runs.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import { checkRunInput } from "../../runtime/run/check-run-input.js"
import { AgentStatechartsError } from "../../errors.js"
import { errorCodeOf, isReportedError } from "../../serving/http-error.js"
import type { RunDetails } from "../../serving/run-details.js"
import type { RunHub } from "../../serving/run-hub.js"
import type { StartRun } from "../runs/start-run.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import { dueTimeText } from "./due-time-text.js"
import { dueTimesOf } from "./due-times.js"
import type { Schedule } from "./schedule.js"
import type { LastRun, ScheduleHost } from "./schedule-timer.js"
import { ScheduleTimer } from "./schedule-timer.js"

/** A schedule with its next due time and its last run. */
export interface ScheduleStatus {
  readonly schedule: Schedule
  /**
   * Next due time in milliseconds since the epoch. Null if the schedule is paused or has no further
   * due time.
   */
  readonly nextDueAt: number | null
  /** Run with the latest due time. Null if the schedule has not started a run. */
  readonly lastRun: (LastRun & { readonly status: RunDetails["result"]["status"] }) | null
}

/** All schedules of a server, which start runs of workflows at certain times. */
export interface Schedules {
  /** Reads the last run of each schedule from the journal, and then starts the timers. */
  start(): Promise<void>
  list(): Promise<readonly ScheduleStatus[]>
  /** Stops the timers. Resolves when no run is being started anymore. */
  stop(): Promise<void>
}

export interface SchedulesOptions {
  readonly schedules: readonly Schedule[]
  readonly workflows: ServedWorkflows
  readonly journal: Pick<CompleteJournal, "list">
  readonly runs: RunHub
  readonly startRun: StartRun
  readonly clock: Clock
  readonly onFailed: ScheduleHost["onFailed"]
}

/**
 * Creates the schedules of a server. Call `start` of the result to start their timers.
 *
 * @throws AgentStatechartsError `input_refused` if a workflow does not exist or refuses its input
 */
export function openSchedules(options: SchedulesOptions): Schedules {
  const { schedules, workflows, journal, runs, startRun, clock, onFailed } = options
  for (const schedule of schedules) checkSchedule(schedule, workflows)
  const host: ScheduleHost = {
    clock,
    onFailed,
    async start(schedule, { runId, dueAt }) {
      const workflow = workflows.get(schedule.workflow)
      try {
        await startRun(workflow, { ...inputOf(schedule, workflow.chart, dueAt), runId })
      } catch (error) {
        // Another server, or this server before its last restart, has started the run.
        if (!isReportedError(error) || errorCodeOf(error) !== "run_exists") throw error
      }
    },
    async endOf(runId) {
      const details = await detailsOf(runs, runId)
      if (details === null) return -Infinity
      const { result, events } = details
      return isEnded(result.status) ? (events.at(-1)?.at ?? -Infinity) : null
    },
  }
  let timers: readonly ScheduleTimer[] = []
  return {
    async start() {
      if (schedules.length === 0) return
      const latest = latestScheduledRuns((await journal.list()).map(({ runId }) => runId))
      timers = schedules.map(
        (schedule) =>
          new ScheduleTimer(
            schedule,
            dueTimesOf(schedule.timing),
            lastRunOf(latest.get(schedule.name)),
            host,
          ),
      )
    },
    list: () =>
      Promise.all(
        timers.map(async ({ schedule, nextDueAt, last }) => {
          const details = last === null ? null : await detailsOf(runs, last.runId)
          const lastRun =
            last === null || details === null
              ? null
              : { runId: last.runId, dueAt: last.dueAt, status: details.result.status }
          return { schedule, nextDueAt, lastRun }
        }),
      ),
    async stop() {
      await Promise.all(timers.map((timer) => timer.stop()))
    },
  }
}

function checkSchedule(schedule: Schedule, workflows: ServedWorkflows): void {
  try {
    const { chart } = workflows.get(schedule.workflow)
    checkRunInput(inputOf(schedule, chart, 0), chart)
  } catch (error) {
    if (!isReportedError(error)) throw error
    throw new AgentStatechartsError(
      "input_refused",
      `the schedule "${schedule.name}" cannot start runs: ${error.message}`,
    )
  }
}

/**
 * Returns the input of the run that a schedule starts at a due time. A task graph receives the due
 * time in its context, and any other workflow in its session state.
 */
function inputOf({ input, dueTimeKey }: Schedule, chart: AgentChart, dueAt: number): RunInput {
  if (dueTimeKey === null) return input
  const field = taskGraphOf(chart) === null ? "state" : "context"
  return { ...input, [field]: { ...input[field], [dueTimeKey]: dueTimeText(dueAt) } }
}

/**
 * Returns the last run of a schedule with its due time. Returns null if there is no run, or if the
 * stored due time is not a valid time.
 */
function lastRunOf(
  run: { readonly runId: string; readonly dueTime: string } | undefined,
): LastRun | null {
  const dueAt = Date.parse(run?.dueTime ?? "")
  return run === undefined || Number.isNaN(dueAt) ? null : { runId: run.runId, dueAt }
}

const isEnded = (status: RunDetails["result"]["status"]): boolean =>
  endedStatuses.some((ended) => ended === status)

/** Returns the details of a run, or null if the run was deleted. */
async function detailsOf(runs: RunHub, runId: string): Promise<RunDetails | null> {
  try {
    return await runs.details(runId)
  } catch (error) {
    if (error instanceof AgentStatechartsError && error.code === "run_unknown") return null
    throw error
  }
}
