import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import type { EmittedEvent, RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner, replay } from "../../src/runtime/index.js"
import type {
  CompleteJournal,
  JournalHeader,
  JournalRecord,
  StoredRun,
} from "../../src/runtime/index.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, loop, sequence } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "clocks-"))
afterAll(() => rmSync(folder, { recursive: true }))

const hour = 3_600_000
const day = 24 * hour

const retried = { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "10s" } } }

/** Every feature that uses the clock: retries, deadlines of the run and of a turn, and an expiry. */
const chart = chartOf(
  [
    sequence("line", ["rounds", "boss", "closer"]),
    loop("rounds", ["writer"], 2),
    llm("writer", { tools: ["look"], maxDuration: "1h", ...retried }),
    human("boss", { expiresIn: "1h", onExpiry: "continue" }),
    llm("closer", retried),
  ],
  { globalTools: [httpTool("look", retried)], maxDuration: "4h" },
)

const look = { content: null, toolCalls: [{ id: "c1", function_name: "look", function_args: {} }] }
const busy = { status: 503 }
const scripts = () =>
  scriptedServices(
    {
      writer: [look, { content: "one" }, busy, { content: "two" }],
      closer: [busy, busy, { content: "closed" }],
    },
    { look: [busy, { found: 1 }] },
  )

/** Wraps a journal on disk and reports whether a write is in progress. */
function watched(journal: CompleteJournal) {
  let open = 0
  const during = async (act: () => void | Promise<void>): Promise<void> => {
    open++
    await act()
    open--
  }
  return {
    isBusy: () => open > 0,
    journal: {
      ...journal,
      create: (header: JournalHeader) => during(() => journal.create(header)),
      append: (runId: string, record: JournalRecord) => during(() => journal.append(runId, record)),
    },
  }
}

const times = (events: readonly (EmittedEvent | RunEvent)[]): readonly number[] =>
  events.flatMap((event) => ("at" in event && typeof event.at === "number" ? [event.at] : []))

describe.each(interpreters)("a clock that is set back during a run (%s)", (interpreter) => {
  /** Executes the chart and moves the clock by `by` milliseconds before each model call. */
  const play = async (by: number) => {
    const clock = simulatedClock()
    const started = clock.now()
    const { http, modelCalls } = scripts()
    const jumping: typeof http.model = {
      call: (request, options) => (clock.jump(by), http.model.call(request, options)),
    }
    const { controls, events } = begin(
      interpreter,
      chart,
      { http: { ...http, model: jumping }, clock },
      { runId: "r" },
    )
    await clock.runUntilIdle()
    const { status, text, state } = controls.snapshot()
    return {
      ended: { status, text, state },
      took: clock.now() - started - by * modelCalls.length,
      types: events.map(({ type }) => type),
    }
  }

  test("a run has the same result and the same waiting times if the clock is set back", async () => {
    const steady = await play(0)
    expect(steady.ended).toMatchObject({ status: "completed", text: "closed" })
    expect(steady.took).toBe(10_000 + 10_000 + hour + 10_000 + 20_000)
    expect(await play(-day)).toEqual(steady)
  })
})

test("event times never decrease if the clock is set back, and a request expires at its planned time", async () => {
  const clock = simulatedClock()
  const run = createRunner({ http: scripts().http, clock }).start(chart, { runId: "r" })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => {
    events.push(event)
    clock.jump(-hour)
  })
  await clock.runUntilIdle()
  expect(run.snapshot()).toMatchObject({ status: "completed", text: "closed" })
  const at = times(events)
  expect(at).toEqual([...at].sort((one, other) => one - other))
  const asked = events.find(({ type }) => type === "human.asked") as Extract<
    RunEvent,
    { type: "human.asked" }
  >
  expect(events.find(({ type }) => type === "request.expired")?.at).toBe(asked.request.expiresAt)
})

describe.each([
  ["JSONL", () => jsonlJournal(join(folder, "jsonl"))],
  ["SQLite", () => sqliteJournal(join(folder, "runs.sqlite"))],
] as const)(
  "a run in a %s journal that is resumed with a clock that is one day behind",
  (_, open) => {
    /** Executes a run until it waits, then resumes it in a runner whose clock is one day behind. */
    const takenUp = async (
      runId: string,
      models: Parameters<typeof scriptedServices>[0],
      of = chart,
    ) => {
      const clock = simulatedClock()
      const first = createRunner({
        http: scriptedServices(models, { look: [{ found: 1 }] }).http,
        clock,
        journal: open(),
      })
      const run = first.start(of, { runId })
      await run.whenSettled()
      await first.close()
      const behind = simulatedClock(clock.now() - day)
      const { journal, isBusy } = watched(open())
      const { http } = scriptedServices(models)
      const second = createRunner({ http, clock: behind, journal })
      const resumed = await second.resume(runId)
      const started = behind.now()
      await behind.runUntilIdle(isBusy)
      const took = behind.now() - started
      await resumed.result
      await second.close()
      const stored = (await journal.load(runId)) as StoredRun
      return { run: resumed, took, stored }
    }

    test("a request expires after its remaining time and not a day later, and the run continues", async () => {
      const { run, took, stored } = await takenUp("asked", {
        writer: [{ content: "one" }],
        closer: [{ content: "closed" }],
      })
      expect(run.snapshot()).toMatchObject({ status: "completed", text: "closed" })
      expect(took).toBe(hour)
      const at = [stored.header.at, ...stored.records.map((record) => record[3])]
      expect(at).toEqual([...at].sort((one, other) => one - other))
      expect(replay(stored, stored.header.chart)).toMatchObject({ isSame: true })
    })

    test("a run ends with status limit after its remaining time and keeps its finished results", async () => {
      const short = chartOf([sequence("line", ["writer", "boss"]), llm("writer"), human("boss")], {
        maxDuration: "10m",
      })
      const { run, took } = await takenUp("limited", { writer: [{ content: "one" }] }, short)
      expect(run.snapshot()).toMatchObject({ status: "limit", state: { writer_text: "one" } })
      expect(took).toBe(600_000)
    })
  },
)

test("a retry delay keeps its length if the run is resumed with a clock that was set back", async () => {
  const place = join(folder, "back-off")
  const clock = simulatedClock()
  const one = chartOf([sequence("line", ["closer"]), llm("closer", retried)])
  const { http } = scriptedServices({ closer: [busy] })
  const first = createRunner({ http, clock, journal: jsonlJournal(place) })
  const run = first.start(one, { runId: "r" })
  const pauses = new Promise<void>((resolve) =>
    run.events$.subscribe(({ type }) => type === "retry.scheduled" && resolve()),
  )
  await pauses
  await first.close()
  const behind = simulatedClock(clock.now() - day)
  const started = behind.now()
  const { journal, isBusy } = watched(jsonlJournal(place))
  const resumed = await createRunner({
    http: scriptedServices({ closer: [{ content: "closed" }] }).http,
    clock: behind,
    journal,
  }).resume("r")
  await behind.runUntilIdle(isBusy)
  expect((await resumed.result).text).toBe("closed")
  expect(behind.now() - started).toBe(10_000)
})

test("if the clock is ahead when a run is resumed, overdue timers fire immediately", async () => {
  const place = join(folder, "ahead")
  const clock = simulatedClock()
  const models = { writer: [{ content: "one" }], closer: [{ content: "closed" }] }
  const first = createRunner({
    http: scriptedServices(models, { look: [{ found: 1 }] }).http,
    clock,
    journal: jsonlJournal(place),
  })
  await first.start(chart, { runId: "r" }).whenSettled()
  await first.close()
  const ahead = simulatedClock(clock.now() + 2 * hour)
  const started = ahead.now()
  const { journal, isBusy } = watched(jsonlJournal(place))
  const resumed = await createRunner({
    http: scriptedServices(models).http,
    clock: ahead,
    journal,
  }).resume("r")
  await ahead.runUntilIdle(isBusy)
  expect(resumed.snapshot()).toMatchObject({ status: "completed", text: "closed" })
  expect(ahead.now()).toBe(started)
})
