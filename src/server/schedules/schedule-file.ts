import * as z from "zod"
import { inMilliseconds } from "../../compiler/1-parse/fields/duration.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { thrownMessage } from "../../errors.js"
import { problemAt } from "../../serving/problem-at.js"
import { dueTimesOf } from "./due-times.js"
import type { Schedule, Timing } from "./schedule.js"

const record = z.record(z.string(), z.unknown())

const prompt = z
  .union([z.string(), z.array(record)])
  .describe("First user message: a text, or a list of {text}, {inline_data} and {file_data}.")

const scheduleEntry = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,80}$/, "must be 1 to 80 letters, digits, and . _ -")
    .describe("Name of the schedule. It is part of the ids of the runs, so do not change it."),
  workflow: z.string().describe("Id of a workflow of the served folder."),
  cron: z
    .string()
    .exactOptional()
    .describe(
      'Due times as a cron expression with five fields, such as "0 8 * * 1-5", or six fields with seconds first. Write either cron or every.',
    ),
  timezone: z
    .string()
    .exactOptional()
    .describe('IANA name of the time zone of cron, such as "Europe/Berlin". Default: UTC.'),
  every: z
    .string()
    .exactOptional()
    .describe(
      'Interval of the due times, such as "30s", "10m" or "1d". Due times are multiples of the interval, counted from 1970-01-01T00:00:00Z.',
    ),
  input: z
    .strictObject({
      prompt: prompt.nullable().exactOptional(),
      state: record.exactOptional().describe("Values added to the initial state."),
      context: record
        .exactOptional()
        .describe("Values that replace values of the context of a graph. Only for graphs."),
    })
    .exactOptional()
    .describe("Input of each run. Default: the input that the workflow defines."),
  dueTimeKey: z
    .string()
    .min(1)
    .exactOptional()
    .describe("State key that receives the due time, such as 2026-11-23T08:00:00Z."),
  missed: z
    .enum(["skip", "run-once", "run-all"])
    .exactOptional()
    .describe(
      "What happens with due times at which no server was available. skip: nothing. run-once: one run for the latest of them. run-all: a run for each of them. Default: run-once.",
    ),
  overlap: z
    .enum(["skip", "allow"])
    .exactOptional()
    .describe(
      "What happens if the previous run has not ended at a due time. skip: no run. allow: another run. Default: skip.",
    ),
  paused: z
    .boolean()
    .exactOptional()
    .describe("Whether the schedule starts no runs. Default: false."),
})

const scheduleFile = z.strictObject({
  $schema: z.string().exactOptional(),
  schedules: z.array(scheduleEntry).describe("The schedules, in any order."),
})

/** Returns the JSON Schema of schedule files. */
export const scheduleFileSchema = (): object => z.toJSONSchema(scheduleFile, { io: "input" })

/** Schedules of a schedule file, or the problems found in the file. */
export interface ReadSchedules {
  readonly schedules: readonly Schedule[]
  /**
   * Descriptions of the problems with their locations, without a period at the end. Empty if the
   * file is valid.
   */
  readonly problems: readonly string[]
}

/**
 * Validates the parsed JSON of a schedule file. Returns the schedules of the file, or all its
 * problems.
 */
export function readSchedules(json: unknown): ReadSchedules {
  const parsed = scheduleFile.safeParse(json)
  if (!parsed.success)
    return {
      schedules: [],
      problems: parsed.error.issues.map(({ path, message }) => problemAt(path, message)),
    }
  const problems: string[] = []
  const names = new Set<string>()
  const schedules = parsed.data.schedules.map((entry, index): Schedule | null => {
    const { name, workflow, input = {}, dueTimeKey = null, paused = false } = entry
    const { missed = "run-once", overlap = "skip" } = entry
    const report = (field: string, message: string): null => {
      problems.push(problemAt(["schedules", index, field], message))
      return null
    }
    if (names.has(name))
      report("name", `"${name}" is the name of another schedule; choose another name`)
    names.add(name)
    const timing = timingOf(entry, report)
    if (timing === null) return null
    // The parts of a prompt are validated by the workflow.
    const { prompt: content, ...values } = input
    return {
      name,
      workflow,
      timing,
      input: { ...values, ...(content !== undefined && { prompt: content as UserContent | null }) },
      dueTimeKey,
      missed,
      overlap,
      isPaused: paused,
    }
  })
  return problems.length > 0
    ? { schedules: [], problems }
    : { schedules: schedules.filter((schedule) => schedule !== null), problems }
}

type Report = (field: string, message: string) => null

function timingOf(
  { cron, timezone, every }: z.output<typeof scheduleEntry>,
  report: Report,
): Timing | null {
  if ((cron === undefined) === (every === undefined))
    return report("cron", "write either cron or every")
  if (every !== undefined) {
    if (timezone !== undefined)
      return report("timezone", "an interval has no time zone; remove timezone, or write cron")
    const everyMs = inMilliseconds(every)
    return everyMs !== undefined && everyMs >= 1_000 && everyMs % 1_000 === 0
      ? { everyMs }
      : report("every", 'must be a duration of whole seconds, such as "30s", "10m" or "1d"')
  }
  return cronTiming(cron ?? "", timezone ?? "UTC", report)
}

function cronTiming(cron: string, timezone: string, report: Report): Timing | null {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone })
  } catch {
    return report(
      "timezone",
      `"${timezone}" is not a time zone; write an IANA name such as "Europe/Berlin"`,
    )
  }
  const fix =
    'write five fields such as "0 8 * * 1-5": minute, hour, day of month, month, day of week'
  if (!/^\s*(@\w+|\S+(\s+\S+){4,5})\s*$/.test(cron))
    return report("cron", `"${cron}" is not a cron expression; ${fix}`)
  try {
    if (dueTimesOf({ cron, timezone })(Date.now()) === null)
      return report("cron", `"${cron}" is never due; change the expression`)
  } catch (error) {
    return report("cron", `"${cron}" is not valid (${thrownMessage(error)}); ${fix}`)
  }
  return { cron, timezone }
}
