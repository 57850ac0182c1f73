import type { Command } from "commander"
import { latestScheduledRuns } from "../../runtime/journal/schedule-run-id.js"
import type { RunSummary } from "../../runtime/journal/journal.js"
import type { Schedule } from "../../server/schedules/schedule.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { readScheduleFile } from "../files/read-schedule-file.js"
import type { JournalOption } from "../options/run-options.js"
import { withJournal } from "../options/run-options.js"
import { openJournal } from "../run/open-journal.js"
import { padTo, textWidth } from "../terminal/column-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"
import { wholeNumberBetween } from "../options/whole-number.js"

interface SchedulesCommandOptions extends JournalOption {
  readonly next: number
  readonly json?: boolean
}

const manual = `
Servers start the runs: agent-statecharts serve PLACE --schedules FILE. This command only reads the file and the journal.

Examples:
  agent-statecharts schedules schedules.json
  agent-statecharts schedules schedules.json --next 10 --journal runs.sqlite --json`

/** Adds the command that lists the schedules of a file with their due times and last runs. */
export function addSchedules(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withJournal(program.command("schedules"))
    .description("check a schedule file, and list its next due times and last runs")
    .argument("<file>", "JSON file with schedules")
    .option(
      "--next <n>",
      "number of due times to list for each schedule",
      wholeNumberBetween(1, 999),
      1,
    )
    .option("--json", "print JSON")
    .addHelpText("after", manual)
    .action(async (file: string, options: SchedulesCommandOptions) => {
      await listSchedules(file, options, terminal)
      exit(exitCodes.ok)
    })
}

interface ListedSchedule {
  readonly name: string
  readonly workflow: string
  readonly paused: boolean
  /**
   * The next times at which the schedule starts a run, in ISO 8601 format. Empty if it is paused.
   */
  readonly next: readonly string[]
  readonly lastRun: { readonly runId: string; readonly status: RunSummary["status"] } | null
}

async function listSchedules(
  file: string,
  options: SchedulesCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const schedules = await readScheduleFile(file)
  const { journal, close } = await openJournal(options, terminal)
  try {
    const runs = new Map((await journal.list()).map((run) => [run.runId, run]))
    const latest = latestScheduledRuns(runs.keys())
    const listed: ListedSchedule[] = []
    for (const schedule of schedules) {
      const run = runs.get(latest.get(schedule.name)?.runId ?? "")
      listed.push({
        name: schedule.name,
        workflow: schedule.workflow,
        paused: schedule.isPaused,
        next: await nextDueTimes(schedule, options.next),
        lastRun: run === undefined ? null : { runId: run.runId, status: run.status },
      })
    }
    if (options.json === true) terminal.print(safeJson(listed, 2))
    else for (const line of scheduleLines(listed, terminal)) terminal.print(line)
  } finally {
    await close()
  }
}

async function nextDueTimes(schedule: Schedule, most: number): Promise<readonly string[]> {
  if (schedule.isPaused) return []
  const { dueTimesOf } = await import("../../server/schedules/due-times.js")
  const { dueTimeText } = await import("../../server/schedules/due-time-text.js")
  const next = dueTimesOf(schedule.timing)
  const times: string[] = []
  for (let due = next(Date.now()); due !== null && times.length < most; due = next(due))
    times.push(dueTimeText(due))
  return times
}

function scheduleLines(
  schedules: readonly ListedSchedule[],
  { paint }: Terminal,
): readonly string[] {
  const names = Math.max(...schedules.map(({ name }) => textWidth(name)))
  const workflows = Math.max(...schedules.map(({ workflow }) => textWidth(oneLine(workflow))))
  return schedules.map(({ name, workflow, paused, next, lastRun }) => {
    const due = paused ? "paused" : `next ${next.join(", ")}`
    const last = lastRun === null ? "no run yet" : `last ${lastRun.runId} (${lastRun.status})`
    return `${paint.bold(padTo(name, names))}  ${padTo(oneLine(workflow), workflows)}  ${due}  ${paint.dim(last)}`
  })
}
