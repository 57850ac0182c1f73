import { Validator } from "@cfworker/json-schema"
import { expect, test } from "vitest"
import { readSchedules, scheduleFileSchema } from "../../../src/server/schedules/schedule-file.js"

const read = (...schedules: readonly unknown[]) => readSchedules({ schedules })
const daily = { name: "daily", workflow: "report", cron: "0 8 * * *" }

test("a schedule file has defaults for the time zone and the policies", () => {
  expect(read(daily, { name: "often", workflow: "report", every: "10m" })).toEqual({
    problems: [],
    schedules: [
      {
        name: "daily",
        workflow: "report",
        timing: { cron: "0 8 * * *", timezone: "UTC" },
        input: {},
        dueTimeKey: null,
        missed: "run-once",
        overlap: "skip",
        isPaused: false,
      },
      expect.objectContaining({ name: "often", timing: { everyMs: 600_000 } }),
    ],
  })
})

test.each([
  [{ ...daily, cron: "61 * * * *" }, /^schedules\[0\]\.cron: "61 \* \* \* \*" is not valid/],
  [{ ...daily, cron: "tomorrow" }, /^schedules\[0\]\.cron: "tomorrow" is not a cron expression/],
  [{ ...daily, cron: "2026-01-01T00:00:00" }, /is not a cron expression/],
  [{ ...daily, cron: "0 0 30 2 *" }, /is never due/],
  [{ ...daily, timezone: "Berlin" }, /^schedules\[0\]\.timezone: "Berlin" is not a time zone/],
  [{ ...daily, every: "1h" }, /^schedules\[0\]\.cron: write either cron or every/],
  [{ name: "daily", workflow: "report" }, /write either cron or every/],
  [{ name: "daily", workflow: "report", every: "500ms" }, /^schedules\[0\]\.every: must be/],
  [{ name: "daily", workflow: "report", every: "-10s" }, /^schedules\[0\]\.every: must be/],
  [{ name: "daily", workflow: "report", every: "1h", timezone: "UTC" }, /has no time zone/],
  [{ ...daily, name: "a b" }, /^schedules\[0\]\.name: must be 1 to 80 letters/],
  [{ ...daily, missed: "all" }, /^schedules\[0\]\.missed: /],
  [{ ...daily, tz: "UTC" }, /^schedules\[0\]: .*tz/],
])("a mistake in a schedule is reported with its location: %j", (entry, problem) => {
  const { schedules, problems } = read(entry)
  expect(schedules).toEqual([])
  expect(problems).toEqual([expect.stringMatching(problem)])
})

test("two schedules with the same name are rejected, because their runs would have the same ids", () => {
  expect(read(daily, daily).problems).toEqual([
    'schedules[1].name: "daily" is the name of another schedule; choose another name',
  ])
})

test("the JSON Schema accepts valid files and rejects unknown fields", () => {
  const validator = new Validator(scheduleFileSchema(), "2020-12")
  expect(validator.validate({ schedules: [daily] }).valid).toBe(true)
  expect(validator.validate({ schedules: [{ ...daily, tz: "UTC" }] }).valid).toBe(false)
})
