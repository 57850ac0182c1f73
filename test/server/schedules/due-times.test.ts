import { describe, expect, test } from "vitest"
import type { NextDueTime } from "../../../src/server/schedules/due-times.js"
import { dueTimesOf, latestDueTimes } from "../../../src/server/schedules/due-times.js"
import { timesToRun } from "../../../src/server/schedules/times-to-run.js"
import { randomFrom } from "../../kill/random.mjs"
import { caseCount, seed } from "../../support/random-cases.js"

const time = (text: string): number => Date.parse(text)

const times = (next: NextDueTime, after: string, count: number): readonly string[] => {
  const found: string[] = []
  for (let due = next(time(after)); due !== null && found.length < count; due = next(due))
    found.push(new Date(due).toISOString().replace(":00.000Z", ""))
  return found
}

const berlin = (cron: string) => dueTimesOf({ cron, timezone: "Europe/Berlin" })

describe("due times of a cron expression with daylight saving time", () => {
  test("a local time that does not exist on a day is due at the clock change", () => {
    expect(times(berlin("30 2 * * *"), "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ])
  })

  test("a local time that occurs twice on a day is due once", () => {
    expect(times(berlin("30 2 * * *"), "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T00:30",
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ])
  })

  test("an expression for every half hour is due every half hour during both clock changes", () => {
    const halfHours = (start: string) =>
      Array.from({ length: 8 }, (_, n) =>
        new Date(time(start) + (n + 1) * 1_800_000).toISOString().replace(":00.000Z", ""),
      )
    for (const start of ["2026-03-28T23:30:00Z", "2026-10-24T23:30:00Z"])
      expect(times(berlin("*/30 * * * *"), start, 8)).toEqual(halfHours(start))
  })

  test("an expression for working days is due at the same local hour after a clock change", () => {
    const next = dueTimesOf({ cron: "0 9 * * 1-5", timezone: "America/New_York" })
    expect(times(next, "2026-03-06T00:00:00Z", 3)).toEqual([
      "2026-03-06T14:00",
      "2026-03-09T13:00",
      "2026-03-10T13:00",
    ])
  })
})

test("the due times of an interval are its multiples, regardless of the start time", () => {
  const next = dueTimesOf({ everyMs: 600_000 })
  expect(times(next, "2026-11-23T07:59:59Z", 2)).toEqual(["2026-11-23T08:00", "2026-11-23T08:10"])
  expect(times(next, "2026-11-23T08:00:00Z", 1)).toEqual(["2026-11-23T08:10"])
})

test("an expression that is never due has no due time", () => {
  const next = dueTimesOf({ cron: "0 0 30 2 *", timezone: "UTC" })
  expect(next(time("2026-01-01T00:00:00Z"))).toBeNull()
})

describe("the latest due times", () => {
  const expressions = ["* * * * * *", "*/7 * * * *", "0 */5 * * *", "15 3 * * 1", "30 2 1,31 * *"]

  test("the latest due times are the last of all due times since the last run", () => {
    const random = randomFrom(seed)
    for (let n = 0; n < caseCount(40, 400); n++) {
      const next = berlin(expressions[n % expressions.length] ?? "")
      const now = time("2026-10-25T02:00:00Z") + Math.floor(random() * 86_400_000)
      const first = next(now) ?? 0
      const length = (next(first) ?? 0) - first
      const after = now - Math.floor(random() * 60 * length)
      const all: number[] = []
      for (let due = next(after); due !== null && due <= now; due = next(due)) all.push(due)
      const most = 1 + Math.floor(random() * 20)
      expect(latestDueTimes(next, { after, now, most })).toEqual(all.slice(-most))
    }
  })

  test("after an interruption of a year, only a part of the due times is computed", () => {
    const every = dueTimesOf({ everyMs: 1_000 })
    let visited = 0
    const counted: NextDueTime = (after) => (visited++, every(after))
    const now = time("2026-11-23T08:00:00Z")
    const found = latestDueTimes(counted, { after: now - 31_536_000_000, now, most: 100 })
    expect(found).toHaveLength(100)
    expect(found.at(-1)).toBe(now)
    expect(visited).toBeLessThan(1_000)
  })
})

describe("the due times to run after an interruption", () => {
  const next = dueTimesOf({ everyMs: 60_000 })
  const now = time("2026-11-23T08:10:30Z")
  const after = time("2026-11-23T08:00:00Z")
  const minutes = (...all: readonly number[]) => all.map((minute) => after + minute * 60_000)

  test("run-all runs all missed due times, run-once the latest one, and the policy skip the current one", () => {
    expect(timesToRun(next, { after, now, missed: "run-all" })).toEqual(
      minutes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    )
    expect(timesToRun(next, { after, now, missed: "run-once" })).toEqual(minutes(10))
    expect(timesToRun(next, { after, now, missed: "skip" })).toEqual(minutes(10))
  })

  test("every policy runs all due times if the interruption was shorter than a minute", () => {
    const seconds = dueTimesOf({ everyMs: 10_000 })
    for (const missed of ["skip", "run-once", "run-all"] as const)
      expect(timesToRun(seconds, { after, now: after + 45_000, missed })).toEqual(
        [1, 2, 3, 4].map((n) => after + n * 10_000),
      )
  })

  test("the policy skip runs no due time if the last one was more than a minute ago", () => {
    const hours = dueTimesOf({ everyMs: 3_600_000 })
    const start = time("2026-11-23T05:30:00Z")
    expect(timesToRun(hours, { after: start, now, missed: "skip" })).toEqual([])
    expect(timesToRun(hours, { after: start, now, missed: "run-once" })).toEqual([
      time("2026-11-23T08:00:00Z"),
    ])
  })

  test("run-all runs at most 1,000 due times", () => {
    const seconds = dueTimesOf({ everyMs: 1_000 })
    const found = timesToRun(seconds, { after: now - 86_400_000, now, missed: "run-all" })
    expect([found.length, found[0], found.at(-1)]).toEqual([1_000, now - 999_000, now])
  })
})
