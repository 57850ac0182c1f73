import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { JournalRecord } from "../../src/runtime/journal/journal.js"
import { isOutside } from "../../src/runtime/journal/journal.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import type { RunMessage } from "../../src/runtime/run/run-message.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, httpTool, human, llm } from "../support/workflow.js"
import { orders, payCall, payChart, paying, rounds, slowJournal } from "./paying-run.js"

const place = mkdtempSync(join(tmpdir(), "contradictory-"))
afterAll(() => rmSync(place, { recursive: true }))

const codeOf = (act: () => void): string => {
  try {
    act()
    return "accepted"
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

const outside = (records: readonly JournalRecord[]): readonly string[] =>
  records.flatMap((record) => (isOutside(record) ? [record[2].type] : []))

const only = (run: RunControls): string => run.pending()[0]?.id ?? "none"

describe("three contradictory answers that are sent at once", { timeout: 600_000 }, () => {
  test.each([
    ["memory", () => memoryJournal()],
    ["JSONL", () => jsonlJournal(join(place, "rounds"))],
    ["SQLite", () => sqliteJournal(join(place, "rounds.sqlite"))],
  ] as const)(
    "exactly one of three contradictory answers is accepted with a journal in %s",
    async (_, openJournal) => {
      const journal = openJournal()
      const wrong: unknown[] = []
      for (let round = 0; round < rounds; round++) {
        const order = orders[round % orders.length] ?? []
        const own = paying()
        const runId = `round-${round}`
        const run = createRunner({ http: own.http, journal }).start(payChart, { runId })
        await run.whenSettled()
        const id = only(run)
        const said = order.map((verb) => codeOf(() => run[verb](id)))
        await run.result
        const stored = outside((await journal.load(runId))?.records ?? [])
        const winner = order[said.indexOf("accepted")] ?? "nobody"
        const isRight =
          said.filter((word) => word === "accepted").length === 1 &&
          said.filter((word) => word === "request_unknown").length === 2 &&
          stored.length === 1 &&
          stored[0] === (winner === "approve" ? "human.approved" : "human.rejected") &&
          own.toolCalls.length === (winner === "approve" ? 1 : 0)
        if (!isRight) wrong.push({ round, order, said, stored, paid: own.toolCalls.length })
      }
      expect(wrong).toEqual([])
    },
  )
})

describe("an answer that arrives while the journal stores another answer", () => {
  test("the second answer is rejected, and the request is no longer pending", async () => {
    const { journal, inner, slow, store } = slowJournal()
    const { http, toolCalls } = paying()
    const run = createRunner({ http, journal }).start(payChart, { runId: "r" })
    await run.whenSettled()
    const id = only(run)
    slow()
    run.reject(id, "no")
    expect(run.pending()).toEqual([])
    expect(run.status).toBe("running")
    expect(codeOf(() => run.approve(id))).toBe("request_unknown")
    store()
    expect(await run.result).toMatchObject({ status: "completed" })
    expect(toolCalls).toEqual([])
    expect(outside(inner.toJSON()["r"]?.records ?? [])).toEqual(["human.rejected"])
  })

  const contradictions: readonly (readonly [
    name: string,
    agents: readonly Readonly<Record<string, unknown>>[],
    models: Readonly<Record<string, readonly unknown[]>>,
    first: (id: string) => RunMessage,
    second: (id: string) => RunMessage,
    code: string,
  ])[] = [
    [
      "answer after answer",
      [human("boss")],
      {},
      (id) => ({ type: "answer", id, value: "go" }),
      (id) => ({ type: "answer", id, value: "stop" }),
      "request_unknown",
    ],
    [
      "say after say",
      [llm("clerk")],
      {
        clerk: [
          { content: "Well?", waitForUserInput: true },
          { content: "ok", exitFlow: true },
        ],
      },
      () => ({ type: "say", content: "one" }),
      () => ({ type: "say", content: "two" }),
      "request_unknown",
    ],
    [
      "deliver after deliver",
      [llm("clerk", { tools: ["pay"] })],
      {
        clerk: [
          { content: null, toolCalls: [payCall] },
          { content: "ok", exitFlow: true },
        ],
      },
      () => ({ type: "deliver", callId: "c1", result: { paid: true } }),
      () => ({ type: "deliver", callId: "c1", result: { paid: false } }),
      "request_unknown",
    ],
    [
      "cancel after end",
      [human("boss")],
      {},
      () => ({ type: "end" }),
      () => ({ type: "cancel" }),
      "run_finished",
    ],
    [
      "end after cancel",
      [human("boss")],
      {},
      () => ({ type: "cancel" }),
      () => ({ type: "end" }),
      "run_finished",
    ],
    [
      "an answer after cancel",
      [human("boss")],
      {},
      () => ({ type: "cancel" }),
      (id) => ({ type: "answer", id, value: "go" }),
      "run_finished",
    ],
  ]
  test.each(contradictions)(
    "a message that contradicts a message being stored is rejected: %s",
    async (_, agents, models, first, second, code) => {
      const { journal, inner, slow, store } = slowJournal()
      const { http } = scriptedServices(models, { pay: [{ pending: true }] })
      const chart = chartOf(agents, { globalTools: [httpTool("pay")] })
      const run = createRunner({ http, journal }).start(chart, { runId: "r" })
      await run.whenSettled()
      const id = only(run)
      slow()
      const given = run.give(first(id))
      await expect(run.give(second(id))).rejects.toMatchObject({ code })
      store()
      await given
      await run.result
      expect(outside(inner.toJSON()["r"]?.records ?? [])).toHaveLength(1)
    },
  )

  test("an idle conversation accepts one message at a time", async () => {
    const { journal, slow, store } = slowJournal()
    const { http } = scriptedServices({ chat: [{ content: "hello" }] })
    const chart = chartOf([llm("chat")], { dialect: "adk" })
    const run = createRunner({ http, journal }).start(chart, { runId: "r" })
    await run.result
    slow()
    const given = run.give({ type: "say", content: "one" })
    expect(codeOf(() => run.say("two"))).toBe("request_unknown")
    store()
    await given
    expect(await run.whenSettled()).toMatchObject({ status: "completed", text: "hello" })
    expect(codeOf(() => run.say("three"))).toBe("accepted")
  })
})

describe("an answer that cannot be stored", () => {
  test("the sender receives an error, and the resumed run accepts another answer", async () => {
    const { journal, slow, fail } = slowJournal()
    const first = paying()
    const run = createRunner({ http: first.http, journal }).start(payChart, { runId: "r" })
    await run.whenSettled()
    const id = only(run)
    slow()
    const given = run.give({ type: "approve", id })
    expect(codeOf(() => run.reject(id))).toBe("request_unknown")
    fail()
    await expect(given).rejects.toMatchObject({ code: "journal_failed" })
    expect(await run.result).toMatchObject({ status: "failed", error: { code: "journal_failed" } })
    expect(first.toolCalls).toEqual([])
    const again = await createRunner({ http: first.http, journal }).resume("r")
    expect(only(again)).toBe(id)
    await again.give({ type: "reject", id, reason: "no" })
    expect(await again.result).toMatchObject({ status: "completed" })
    expect(first.toolCalls).toEqual([])
  })
})

describe.each([
  ["JSONL", (name: string) => jsonlJournal(join(place, name))],
  ["SQLite", (name: string) => sqliteJournal(join(place, `${name}.sqlite`))],
] as const)("two runners that share a journal in %s", (_, openJournal) => {
  test("a second runner that resumes the run keeps the answer that the first runner accepted", async () => {
    const [one, other] = [openJournal("shared"), openJournal("shared")]
    const { http, toolCalls } = paying()
    const first = createRunner({ http, journal: one })
    const second = createRunner({ http, journal: other })
    const run = first.start(payChart, { runId: "r" })
    await run.whenSettled()
    const id = only(run)
    await expect(second.resume("r")).rejects.toMatchObject({ code: "run_owned" })
    run.reject(id)
    // The first runner may close before or after it stored all records. The second runner resumes the run.
    await first.close()
    const again = await second.resume("r")
    expect(codeOf(() => again.approve(id))).toBe("request_unknown")
    await again.result
    expect(toolCalls).toEqual([])
    expect(outside((await other.load("r"))?.records ?? [])).toEqual(["human.rejected"])
  })
})

describe.each(interpreters)("an answer from a subscriber (%s)", (interpreter) => {
  test("a subscriber cannot contradict an answer that the run is processing", async () => {
    const { http, toolCalls } = paying()
    const said: string[] = []
    const { controls, events } = begin(interpreter, payChart, { http })
    await controls.whenSettled()
    const id = only(controls)
    const push = events.push.bind(events)
    events.push = (...more) => {
      for (const { type } of more)
        if (type === "human.answered") said.push(codeOf(() => controls.approve(id)))
      return push(...more)
    }
    controls.reject(id)
    await controls.result
    expect(said).toEqual(["request_unknown"])
    expect(toolCalls).toEqual([])
  })
})
