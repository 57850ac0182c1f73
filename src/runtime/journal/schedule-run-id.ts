/** The schedule that has started a run, and the due time for which it has started the run. */
export interface ScheduledRun {
  /** Name of the schedule. */
  readonly schedule: string
  /** Due time in ISO format with whole seconds, such as `2026-11-23T08:00:00Z`. */
  readonly dueTime: string
}

/**
 * Returns the id of the run that a schedule starts at a due time, for example
 * `schedule:daily:2026-11-23T08:00:00Z`. All servers compute the same id, and a journal stores an
 * id only once. Therefore, each due time starts at most one run.
 */
export const scheduleRunId = ({ schedule, dueTime }: ScheduledRun): string =>
  `schedule:${schedule}:${dueTime}`

/**
 * Returns the schedule and the due time from the id of a run that a schedule has started. Returns
 * null for the id of any other run.
 */
export function scheduledRunOf(runId: string): ScheduledRun | null {
  const [, schedule, dueTime] =
    /^schedule:([\w.-]+):(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(runId) ?? []
  return schedule === undefined || dueTime === undefined ? null : { schedule, dueTime }
}

/** Returns the run with the latest due time for each schedule. The map keys are schedule names. */
export function latestScheduledRuns(
  runIds: Iterable<string>,
): ReadonlyMap<string, ScheduledRun & { readonly runId: string }> {
  const latest = new Map<string, ScheduledRun & { readonly runId: string }>()
  for (const runId of runIds) {
    const run = scheduledRunOf(runId)
    // Times in this format can be compared as strings.
    if (run !== null && run.dueTime > (latest.get(run.schedule)?.dueTime ?? ""))
      latest.set(run.schedule, { ...run, runId })
  }
  return latest
}
