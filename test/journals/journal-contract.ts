import { describe, expect, test } from "vitest"
import type { ModelService } from "../../src/machines/contract/services.js"
import type {
  CompleteJournal,
  Journal,
  JournalHeader,
  JournalRecord,
} from "../../src/runtime/journal/journal.js"
import { isResumable } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"

const chart = chartOf([sequence("line", ["boss", "clerk"]), human("boss"), llm("clerk")])

const headerOf = (runId: string): JournalHeader => ({
  format: 1,
  runId,
  chart,
  input: { prompt: "go", state: { a: "\u0000 and \ud800" } },
  at: 1000,
})

const records: readonly JournalRecord[] = [
  [
    -1,
    "line/boss",
    { type: "human.answered", id: "line/boss#0", value: { "\u2028": ["\n", null] }, at: 1001 },
    1001,
  ],
  [0, true, { content: "ok\u0000\ud800" }, 1002],
  [1, false, { code: "service_timeout", message: "late", retryable: true }, 1003],
]

const pending = [
  {
    id: "line/boss#0",
    kind: "human" as const,
    agent: "boss",
    path: "line/boss",
    branch: null,
    prompt: "boss?",
    details: null,
  },
]

const code = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
    return null
  } catch (error) {
    return (error as { readonly code?: unknown }).code
  }
}

/**
 * Tests the contract of a journal. `open` returns a journal for the name of a place, any number of times. Journals of the same place
 * contain the same runs.
 */
export function describeJournal(name: string, open: (place: string) => CompleteJournal): void {
  let places = 0
  const newPlace = (): string => `place-${++places}`

  describe(`${name} as a journal`, () => {
    test("stores the header and the records of a run with any characters in their texts", async () => {
      const place = newPlace()
      const journal = open(place)
      await journal.create(headerOf("r"))
      for (const record of records) await journal.append("r", record)
      expect(await journal.load("r")).toEqual({ header: headerOf("r"), records })
      expect(await open(place).load("r")).toEqual({ header: headerOf("r"), records })
      expect(await journal.load("other")).toBeNull()
    })

    test("stores records in the order of the calls, even if they are not awaited", async () => {
      const journal = open(newPlace())
      await journal.create(headerOf("r"))
      const many = Array.from({ length: 300 }, (_, n): JournalRecord => [n, true, "x".repeat(n), n])
      await Promise.all(many.map(async (record) => journal.append("r", record)))
      expect((await journal.load("r"))?.records).toEqual(many)
    })

    test("keeps runs separate, with any characters in their ids", async () => {
      const journal = open(newPlace())
      const ids = [
        "r",
        "R",
        "../r",
        "a/b",
        "a\\b",
        ".",
        "..",
        "",
        "con",
        "ü",
        "\u0000",
        "\ud800",
        "x".repeat(600),
        "r.lock",
        "%72",
        " r",
        "r ",
      ]
      for (const [n, id] of ids.entries()) {
        await journal.create(headerOf(id))
        await journal.append(id, [n, true, id, 1])
      }
      for (const [n, id] of ids.entries())
        expect(await journal.load(id)).toEqual({
          header: headerOf(id),
          records: [[n, true, id, 1]],
        })
      expect((await journal.list()).map(({ runId }) => runId).sort()).toEqual([...ids].sort())
    })

    test("refuses a second run with the same id, and continues with the first run", async () => {
      const journal = open(newPlace())
      await journal.create(headerOf("r"))
      expect(await code(() => journal.create(headerOf("r")))).toBe("run_exists")
      await journal.release("r")
      expect(await code(() => journal.create(headerOf("r")))).toBe("run_exists")
      await journal.acquire("r")
      await journal.append("r", records[0] as JournalRecord)
      expect((await journal.load("r"))?.records).toHaveLength(1)
    })

    test("refuses a second owner of a run until the first owner releases it", async () => {
      const place = newPlace()
      const [one, other] = [open(place), open(place)]
      await one.create(headerOf("r"))
      expect(await code(() => one.acquire("r"))).toBe("run_owned")
      expect(await code(() => other.acquire("r"))).toBe("run_owned")
      await other.release("r")
      await one.append("r", records[0] as JournalRecord)
      await one.release("r")
      await other.acquire("r")
      expect(await code(() => one.acquire("r"))).toBe("run_owned")
      await other.append("r", records[1] as JournalRecord)
      expect((await one.load("r"))?.records).toEqual(records.slice(0, 2))
    })

    test("can acquire and release a run that does not exist, without creating it", async () => {
      const journal = open(newPlace())
      await journal.acquire("r")
      await journal.release("r")
      expect(await journal.load("r")).toBeNull()
      await journal.create(headerOf("r"))
      expect(await journal.list()).toHaveLength(1)
    })

    test("can select the runs that can continue and that no process executes", async () => {
      const place = newPlace()
      const journal = open(place)
      const statuses = {
        interrupted: { status: "running", pending: [], at: 1001 },
        waiting: { status: "waiting", pending, at: 1001 },
        withDeadline: { status: "waiting", pending, at: 1001, wakeAt: 5000 },
        owned: { status: "waiting", pending, at: 1001, wakeAt: 5000 },
        completed: { status: "completed", pending: [], at: 1001 },
      } as const
      for (const [runId, status] of Object.entries(statuses)) {
        await journal.create(headerOf(runId))
        await journal.append(runId, records[0] as JournalRecord)
        await journal.note(runId, status)
        if (runId !== "owned") await journal.release(runId)
      }
      const resumable = async (now: number): Promise<readonly string[]> =>
        [...(await open(place).list({ resumableAt: now }))]
          .filter((run) => isResumable(run, now))
          .map(({ runId }) => runId)
          .sort()
      expect(await resumable(4999)).toEqual(["interrupted"])
      expect(await resumable(5000)).toEqual(["interrupted", "withDeadline"])
      const summaries = new Map((await journal.list()).map((run) => [run.runId, run]))
      expect(summaries.get("withDeadline")?.wakeAt).toBe(5000)
      expect(summaries.get("waiting")).not.toHaveProperty("wakeAt")

      // A run that has continued has no deadline.
      await journal.acquire("withDeadline")
      await journal.append("withDeadline", records[1] as JournalRecord)
      await journal.note("withDeadline", statuses.waiting)
      await journal.release("withDeadline")
      expect(await resumable(9000)).toEqual(["interrupted"])
    })

    test("lists runs with their last stored status, pending requests and owner", async () => {
      const place = newPlace()
      const journal = open(place)
      await journal.create(headerOf("one"))
      await journal.create({ ...headerOf("two"), at: 2000 })
      await journal.note("one", { status: "waiting", pending, at: 1001 })
      const owner = expect.stringContaining("process")
      const both = { chart: "line" }
      expect([...(await open(place).list())].sort((a, b) => a.startedAt - b.startedAt)).toEqual([
        {
          ...both,
          runId: "one",
          startedAt: 1000,
          status: "waiting",
          pending,
          settledAt: 1001,
          owner,
        },
        { ...both, runId: "two", startedAt: 2000, status: "running", pending: [], owner },
      ])
      await journal.append("one", records[0] as JournalRecord)
      await journal.note("two", { status: "failed", pending: [], at: 1002 })
      await journal.release("two")
      expect([...(await open(place).list())].sort((a, b) => a.startedAt - b.startedAt)).toEqual([
        { ...both, runId: "one", startedAt: 1000, status: "running", pending: [], owner },
        {
          ...both,
          runId: "two",
          startedAt: 2000,
          status: "failed",
          pending: [],
          settledAt: 1002,
          owner: null,
        },
      ])
      expect((await journal.load("one"))?.records).toEqual(records.slice(0, 1))
    })

    test("deletes a run for all journals of the place, and its id can be used again", async () => {
      const place = newPlace()
      const [one, other] = [open(place), open(place)]
      for (const id of ["a/\u0000", "kept"]) {
        await one.create(headerOf(id))
        for (const record of records) await one.append(id, record)
        await one.note(id, { status: "completed", pending: [], at: 1003 })
        await one.release(id)
      }
      await other.delete("a/\u0000")
      await other.delete("unknown")
      expect(await one.load("a/\u0000")).toBeNull()
      expect((await one.list()).map(({ runId }) => runId)).toEqual(["kept"])
      await one.create(headerOf("a/\u0000"))
      expect((await other.load("a/\u0000"))?.records).toEqual([])
      expect(await other.load("kept")).toEqual({ header: headerOf("kept"), records })
    })

    test("refuses to delete a run that has an owner", async () => {
      const place = newPlace()
      const [one, other] = [open(place), open(place)]
      await one.create(headerOf("r"))
      expect(await code(() => one.delete("r"))).toBe("run_owned")
      expect(await code(() => other.delete("r"))).toBe("run_owned")
      await one.append("r", records[0] as JournalRecord)
      expect((await other.load("r"))?.records).toHaveLength(1)
    })

    test("lists the creation time of a fork as its start time", async () => {
      const place = newPlace()
      const journal = open(place)
      const header = { ...headerOf("fork"), forkedFrom: { runId: "one", at: 1, time: 9_000 } }
      await journal.create(header)
      expect((await open(place).list()).map(({ startedAt }) => startedAt)).toEqual([9_000])
      // A run keeps the start time that its records were computed with.
      expect((await journal.load("fork"))?.header).toEqual(header)
    })

    test("lists the caller of a child run", async () => {
      const place = newPlace()
      const calledBy = {
        runId: "p/\u0000",
        path: 'all/"a"[0]',
        depth: 1,
        limits: { maxModelCalls: 2 },
      }
      const header = { ...headerOf("child"), calledBy }
      await open(place).create(header)
      expect((await open(place).load("child"))?.header).toEqual(header)
      expect(await open(place).list()).toMatchObject([
        { runId: "child", calledBy: { runId: "p/\u0000", path: 'all/"a"[0]' } },
      ])
    })
  })

  describe(`runs with a journal in ${name}`, () => {
    const clerk: ModelService = { call: async () => ({ content: "filed", exitFlow: true }) }
    const runnerOver = (journal: Journal, model = clerk) =>
      createRunner({ journal, http: { model, tool: { call: async () => ({}) } } })

    test("a run that ends without a call is stored as completed", async () => {
      const journal = open(newPlace())
      const skipped = chartOf([
        sequence("line", [{ agentId: "clerk", when: "False" }]),
        llm("clerk"),
      ])
      const runner = runnerOver(journal)
      expect(await runner.start(skipped, { runId: "r" }).result).toMatchObject({
        status: "completed",
      })
      expect(await journal.list()).toMatchObject([{ runId: "r", status: "completed", owner: null }])
      await runner.close()
    })

    test("a second runner cannot resume a waiting run until the first runner is closed", async () => {
      const place = newPlace()
      const [one, other] = [runnerOver(open(place)), runnerOver(open(place))]
      const run = one.start(chart, { runId: "r" })
      expect((await run.whenSettled()).status).toBe("waiting")
      expect(await code(() => other.resume("r"))).toBe("run_owned")
      expect(await one.resume("r")).toBe(run)
      await one.close()
      expect((await run.result).status).toBe("waiting")
      expect(await code(() => run.answer(run.pending()[0]?.id ?? "", "yes"))).toBe("run_suspended")
      const resumed = await other.resume("r")
      resumed.answer(resumed.pending()[0]?.id ?? "", "yes")
      expect(await resumed.result).toMatchObject({
        status: "completed",
        state: { boss_answer: "yes", clerk_text: "filed" },
      })
      expect((await (await one.resume("r")).result).status).toBe("completed")
      expect(await open(place).list()).toMatchObject([
        { runId: "r", status: "completed", owner: null },
      ])
    })

    test("a call in flight is stopped without a record when the runner closes, and repeated with the same key", async () => {
      const place = newPlace()
      const keys: string[] = []
      let asked = (): void => {}
      const isAsked = new Promise<void>((resolve) => (asked = resolve))
      const slow: ModelService = {
        call: ({ idempotencyKey }, { signal }) => {
          keys.push(idempotencyKey)
          asked()
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          )
        },
      }
      const runner = runnerOver(open(place), slow)
      const run = runner.start(chart, { runId: "r" })
      await run.whenSettled()
      run.answer(run.pending()[0]?.id ?? "", "yes")
      await isAsked
      await runner.close()
      expect((await run.whenSettled()).status).toBe("running")
      expect((await open(place).load("r"))?.records).toHaveLength(1)
      const again: ModelService = {
        call: async ({ idempotencyKey }) => (
          keys.push(idempotencyKey),
          { content: "filed", exitFlow: true }
        ),
      }
      expect((await (await runnerOver(open(place), again).resume("r")).result).status).toBe(
        "completed",
      )
      expect(keys).toEqual(["r/line/clerk#0", "r/line/clerk#0"])
    })

    test("store replaces a run of its owner, and later records are appended to the new run", async () => {
      const place = newPlace()
      const journal = open(place)
      await journal.create(headerOf("r"))
      for (const record of records) await journal.append("r", record)
      const other = chartOf([sequence("row", ["boss"]), human("boss")])
      const header = { ...headerOf("r"), chart: other, about: { changed: true } }
      const waits = { status: "waiting", pending, at: 1004 } as const
      await journal.store({ header, records: records.slice(0, 2) }, waits)
      await journal.append("r", [7, true, "longer", 1005])
      await journal.release("r")
      const stored = [...records.slice(0, 2), [7, true, "longer", 1005] as const]
      expect(await open(place).load("r")).toEqual({ header, records: stored })
      await journal.acquire("r")
      await journal.store({ header, records: [...records, ...records] }, waits)
      await journal.release("r")
      expect((await open(place).load("r"))?.records).toEqual([...records, ...records])
      expect(await open(place).list()).toMatchObject([
        { runId: "r", chart: "row", status: "waiting", pending, settledAt: 1004, owner: null },
      ])
    })

    test("store creates a run with its records if it does not exist, and the caller owns it", async () => {
      const place = newPlace()
      const journal = open(place)
      const running = { status: "running", pending: [], at: 1004 } as const
      await journal.store({ header: headerOf("r"), records }, running)
      expect(await code(() => open(place).acquire("r"))).toBe("run_owned")
      await journal.append("r", [7, true, "more", 1005])
      await journal.release("r")
      expect(await open(place).load("r")).toEqual({
        header: headerOf("r"),
        records: [...records, [7, true, "more", 1005]],
      })
      expect(await code(() => journal.store({ header: headerOf("r"), records }, running))).toBe(
        "run_exists",
      )
      expect((await open(place).load("r"))?.records).toHaveLength(records.length + 1)
    })

    test("a run that is cancelled by the function before makes no calls when it is resumed", async () => {
      const place = newPlace()
      const journal = open(place)
      await journal.create(headerOf("r"))
      await journal.append("r", [
        -1,
        "line/boss",
        { type: "human.answered", id: "line/boss#0", value: "yes", at: 1001 },
        1001,
      ])
      await journal.release("r")
      let calls = 0
      const counting: ModelService = { call: async () => (calls++, { content: "filed" }) }
      const run = await runnerOver(open(place), counting).resume("r", {
        before: (paused) => paused.cancel(),
      })
      expect([(await run.result).status, calls]).toEqual(["cancelled", 0])
      expect(await open(place).list()).toMatchObject([{ status: "cancelled", owner: null }])
    })
  })
}
