import { describe, expect, test } from "vitest"
import { scheduledRunOf, scheduleRunId } from "../../../src/runtime/journal/schedule-run-id.js"
import { HttpError } from "../../../src/serving/http-error.js"
import { dueTimesOf } from "../../../src/server/schedules/due-times.js"
import type { Schedule } from "../../../src/server/schedules/schedule.js"
import { ScheduleTimer } from "../../../src/server/schedules/schedule-timer.js"
import { randomFrom } from "../../kill/random.mjs"
import { caseCount, seed } from "../../support/random-cases.js"
import { simulatedClock } from "../../support/simulated-clock.js"

const start = Date.parse("2026-11-23T08:00:00Z")

const schedule = (changes: Partial<Schedule> = {}): Schedule => ({
  name: "often",
  workflow: "report",
  timing: { everyMs: 10_000 },
  input: {},
  dueTimeKey: null,
  missed: "run-all",
  overlap: "allow",
  isPaused: false,
  ...changes,
})

/** Creates servers with the timers of one schedule, and the journal that they share. */
function servers(entry: Schedule) {
  const clock = simulatedClock(start)
  const stored = new Map<string, { readonly dueAt: number; endsAt: number | null }>()
  const failures: string[] = []
  let starts = 0
  let failure: Error | null = null
  const lastStored = () =>
    [...stored]
      .map(([runId, { dueAt }]) => ({ runId, dueAt }))
      .sort((one, other) => other.dueAt - one.dueAt)[0] ?? null
  return {
    clock,
    stored,
    failures,
    fail: (error: Error | null) => (failure = error),
    starts: () => starts,
    /** Returns the due times that have a run, as numbers of intervals since the start. */
    due: () => [...stored.values()].map(({ dueAt }) => (dueAt - start) / 10_000),
    open: () =>
      new ScheduleTimer(entry, dueTimesOf(entry.timing), lastStored(), {
        clock,
        async start(_, { runId, dueAt }) {
          if (failure !== null) throw failure
          // The journal responds asynchronously, so that several servers write at the same time.
          await Promise.resolve()
          starts++
          if (!stored.has(runId)) stored.set(runId, { dueAt, endsAt: clock.now() })
        },
        endOf: async (runId) => stored.get(runId)?.endsAt ?? null,
        onFailed: (_, dueAt, error) =>
          failures.push(`${(dueAt - start) / 10_000}: ${(error as Error).message}`),
      }),
    /** Advances the clock to a time, and then stops the timers. */
    async runUntil(time: number, ...timers: readonly ScheduleTimer[]) {
      clock.wakeAt(time, () => timers.forEach((timer) => void timer.stop()))
      await clock.runUntilIdle()
    },
  }
}

const after = (seconds: number): number => start + seconds * 1_000 + 1

test("a run id contains the name of the schedule and the due time", () => {
  const run = { schedule: "nightly.report-2", dueTime: "2026-11-23T08:00:00Z" }
  expect(scheduleRunId(run)).toBe("schedule:nightly.report-2:2026-11-23T08:00:00Z")
  expect(scheduledRunOf(scheduleRunId(run))).toEqual(run)
  for (const other of ["run-1", "schedule:x", "x:2026-11-23T08:00:00Z"])
    expect(scheduledRunOf(other)).toBeNull()
})

test("a new schedule starts its first run at the next due time", async () => {
  const { open, runUntil, due } = servers(schedule())
  await runUntil(after(35), open())
  expect(due()).toEqual([1, 2, 3])
})

test("a paused schedule starts no run and has no next due time", async () => {
  const { open, runUntil, due } = servers(schedule({ isPaused: true }))
  const timer = open()
  await runUntil(after(35), timer)
  expect([due(), timer.nextDueAt]).toEqual([[], null])
})

test("after a restart, missed due times are run in order", async () => {
  const { clock, open, runUntil, due } = servers(schedule())
  await runUntil(after(25), open())
  await runUntil(after(200))
  expect(clock.now()).toBe(after(200))
  await runUntil(after(215), open())
  expect(due()).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
})

test("after a restart, run-once starts one run for all missed due times", async () => {
  const { open, runUntil, due } = servers(schedule({ missed: "run-once" }))
  await runUntil(after(25), open())
  await runUntil(after(205))
  await runUntil(after(225), open())
  expect(due()).toEqual([1, 2, 20, 21, 22])
})

test("a start that fails temporarily is retried, and is reported once for each due time", async () => {
  const { clock, open, runUntil, due, fail, failures } = servers(schedule())
  fail(new HttpError(429, { code: "too_many_runs", message: "too many" }))
  clock.wakeAt(after(25), () => fail(null))
  await runUntil(after(35), open())
  expect(due()).toEqual([1, 2, 3])
  expect(failures).toEqual(["1: too many"])
})

test("an input that the workflow rejects does not block later due times", async () => {
  const { clock, open, runUntil, due, fail, failures } = servers(schedule())
  fail(new HttpError(400, { code: "input_refused", message: "refused" }))
  clock.wakeAt(after(15), () => fail(null))
  await runUntil(after(35), open())
  expect(due()).toEqual([2, 3])
  expect(failures).toEqual(["1: refused"])
})

describe("the overlap policy skip", () => {
  test("the policy skip starts no run while the previous run has not ended", async () => {
    const { clock, stored, open, runUntil, due } = servers(schedule({ overlap: "skip" }))
    clock.wakeAt(after(11), () => {
      for (const run of stored.values()) run.endsAt = null
    })
    clock.wakeAt(after(34), () => {
      for (const run of stored.values()) run.endsAt = after(34)
    })
    await runUntil(after(55), open())
    expect(due()).toEqual([1, 4, 5])
  })

  test("a server that starts later skips the same due times", async () => {
    const { stored, open, runUntil, due } = servers(schedule({ overlap: "skip" }))
    await runUntil(after(15), open())
    for (const run of stored.values()) run.endsAt = after(34)
    await runUntil(after(42))
    await runUntil(after(55), open())
    expect(due()).toEqual([1, 4, 5])
  })
})

test("servers that are killed at random neither lose a due time nor run one twice", async () => {
  const random = randomFrom(seed)
  for (let n = 0; n < caseCount(20, 400); n++) {
    const { clock, open, runUntil, due, starts } = servers(schedule())
    const first = open()
    const timers = [first, open(), open()]
    for (let seconds = 5; seconds < 600; seconds += 5)
      clock.wakeAt(after(seconds), () => {
        const index = Math.floor(random() * timers.length)
        void timers[index]?.stop()
        if (random() < 0.6) timers[index] = open()
      })
    clock.wakeAt(after(600), () => timers.push(open()))
    clock.wakeAt(after(655), () => timers.forEach((timer) => void timer.stop()))
    await runUntil(after(656))
    // A killed new schedule has no run in the journal, so it begins with the next due time.
    const [oldest = 0] = due()
    expect([...due()].sort((one, other) => one - other)).toEqual(
      Array.from({ length: 65 - oldest + 1 }, (_, index) => oldest + index),
    )
    expect(starts()).toBeGreaterThan(due().length)
  }
})
