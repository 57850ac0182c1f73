import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { ModelRequest } from "../../src/machines/contract/services.js"
import type { Journal, JournalHeader, JournalRecord, Run } from "../../src/runtime/index.js"
import {
  createRunner,
  memoryJournal,
  memorySessionStore,
  redactedJournal,
  replay,
} from "../../src/runtime/index.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "redaction-"))
afterAll(() => rmSync(folder, { recursive: true }))

const card = "4111111111111111"
/** Replaces card numbers in JSON. */
const mask = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/\d{16}/g, "****")) as Value
const masked = <Stored extends Journal>(journal: Stored): Stored =>
  redactedJournal(journal, { record: mask, input: mask })

describeJournal("a redacted SQLite file", (place) =>
  masked(sqliteJournal(join(folder, `${place}.sqlite`))),
)

const chart = compileOrThrow({
  dialect: "adk",
  rootAgentId: "line",
  agents: [
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: ["asker", "boss", "guide", "payer"].map((agentId) => ({ agentId })),
    },
    { type: "LlmAgent", id: "asker", model: "any", instruction: "Repeat.", outputKey: "asked" },
    { type: "HumanAgent", id: "boss", prompt: "Your card?", outputKey: "card" },
    { type: "CustomAgent", id: "guide", service: "guide" },
    { type: "LlmAgent", id: "payer", model: "any", instruction: "Pay with {card} for {guided}." },
  ],
})

/** A runner that collects the requests to its model, and the steps of its host function. */
function recordingRunner(journal: Journal, requests: unknown[]) {
  return createRunner({
    journal,
    sessions: memorySessionStore(),
    models: {
      any: {
        async call({ messages }: ModelRequest) {
          requests.push(messages)
          return { content: `I have read ${card}.` }
        },
      },
    },
    services: {
      async guide(context) {
        const found = await context.step("find", () => `found ${card}`)
        const asked = await context.ask(`Is it ${found}?`)
        requests.push({ found, asked })
        context.state.set("guided", `${found} ${String(asked)}`)
      },
    },
  })
}

const start = { prompt: `My card is ${card}.`, state: { note: card }, runId: "r" }

async function answer(run: Run): Promise<void> {
  await run.whenSettled()
  await run.answer(run.pending()[0]?.id ?? "", `It is ${card}`)
}

const places: Readonly<Record<string, (name: string) => Journal>> = {
  memory: () => memoryJournal(),
  "JSON Lines": (name) => jsonlJournal(join(folder, name)),
  SQLite: (name) => sqliteJournal(join(folder, `${name}.sqlite`)),
}

describe.each(Object.entries(places))("a redacted journal in %s", (kind, open) => {
  test("a resumed run makes the same calls as an uninterrupted run, and both are masked", async () => {
    const whole: unknown[] = []
    const one = masked(open(`${kind}-one`))
    const runner = recordingRunner(one, whole)
    const run = runner.start(chart, start)
    await answer(run)
    await answer(run)
    const result = await run.result
    expect(result).toMatchObject({
      status: "completed",
      state: { note: "****", card: "It is ****" },
    })

    const parts: unknown[] = []
    const other = masked(open(`${kind}-two`))
    let part = recordingRunner(other, parts)
    await part.start(chart, start).whenSettled()
    for (let answers = 0; answers < 2; answers++) {
      await part.close()
      part = recordingRunner(other, parts)
      const resumed = await part.resume("r")
      await answer(resumed)
      await resumed.whenSettled()
    }
    const resumed = await part.resume("r")
    expect(resumed.snapshot()).toMatchObject({
      status: "completed",
      state: result.state,
      text: result.text,
    })
    expect(parts).toEqual(whole)
    expect(JSON.stringify(whole)).not.toContain(card)
    await part.close()
    await runner.close()

    const stored = await one.load("r")
    if (stored === null) throw new Error("the run is missing")
    expect(JSON.stringify(stored)).not.toContain(card)
    expect(replay(stored, chart)).toMatchObject({ isSame: true, unanswered: [], unused: [] })
  })
})

test("no file of a redacted journal contains the masked data", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(2)
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name)).includes(card)).toBe(false)
})

describe("redactions that fail", () => {
  const llm = compileOrThrow({
    dialect: "adk",
    rootAgentId: "guide",
    agents: [{ type: "LlmAgent", id: "guide", model: "any", instruction: "Answer." }],
  })
  const models = { any: { call: async () => ({ content: card }) } }
  const redactions: readonly (readonly [string, (record: JournalRecord) => unknown, RegExp])[] = [
    ["changes the number of a call", ([n, ...rest]) => [Number(n) + 1, ...rest], /may change only/],
    ["changes the outcome", ([n, , ...rest]) => [n, false, ...rest], /may change only/],
    ["returns nothing", () => undefined, /returned nothing/],
    [
      "throws",
      () => {
        throw new Error("no key")
      },
      /no key/,
    ],
  ]

  test.each(redactions)(
    "a redaction that %s stores no record, and the run can be resumed",
    async (_, record, words) => {
      const stored = memoryJournal()
      const journal = redactedJournal<Journal>(stored, { record: record as () => JournalRecord })
      const failed = await createRunner({ journal, models }).start(llm, { runId: "r" }).result
      expect(failed).toMatchObject({
        status: "failed",
        error: { code: "journal_failed", message: expect.stringMatching(words) },
      })
      expect((await stored.load("r"))?.records).toEqual([])
      const resumed = await createRunner({ journal: stored, models }).resume("r")
      expect((await resumed.result).text).toBe(card)
    },
  )

  test("a failed redaction of the input stores no run", async () => {
    const stored = memoryJournal()
    const journal = redactedJournal<Journal>(stored, {
      input: () => ({}) as JournalHeader["input"],
    })
    const { result } = createRunner({ journal, models }).start(llm, { runId: "r" })
    expect(await result).toMatchObject({ status: "failed", error: { code: "journal_failed" } })
    expect(await stored.load("r")).toBeNull()
  })
})
