import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { JournalWarning } from "../../src/adapters/journal/journal-warning.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import type { JournalHeader, JournalRecord } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
afterAll(() => rmSync(folder, { recursive: true }))
let places = 0
const newPlace = (): string => join(folder, `own-${places++}`)

describeJournal("JSONL", (place) => jsonlJournal(join(folder, place)))

const header: JournalHeader = {
  format: 1,
  runId: "r",
  chart: chartOf([llm("one")]),
  input: { prompt: "ä", state: {} },
  at: 1,
}
const records: readonly JournalRecord[] = [
  [0, true, { content: "ä€😀" }, 2],
  [1, false, { code: "service_timeout" }, 3],
]

/** Writes a file with a header and two records, without an owner. */
async function written(): Promise<{ readonly place: string; readonly file: string }> {
  const place = newPlace()
  const journal = jsonlJournal(place)
  await journal.create(header)
  for (const record of records) await journal.append("r", record)
  await journal.release("r")
  return { place, file: join(place, "r.jsonl") }
}

describe("a file of JSON lines", () => {
  test("starts with the most important fields, and contains one record in each line", async () => {
    const { file } = await written()
    const [first = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n")
    expect(first).toMatch(
      /^\{"format":2,"writer":"agent-statecharts \d+\.\d+\.\d+","runId":"r","at":1,"fingerprint":"[0-9a-f]{64}","chartId":"one","head":"[0-9a-f]{8}","input":/,
    )
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      records.map((record) => [...record, expect.stringMatching(/^[0-9a-f]{8}$/)]),
    )
  })

  test("keeps its complete records if it is truncated at any byte, and the rest is removed with a warning", async () => {
    const { place, file } = await written()
    const bytes = readFileSync(file)
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1)
    const [headerEnd = 0] = ends
    for (let size = headerEnd; size < bytes.length; size++) {
      writeFileSync(file, bytes.subarray(0, size))
      const warnings: JournalWarning[] = []
      const journal = jsonlJournal(place, { onWarning: (warning) => warnings.push(warning) })
      await journal.acquire("r")
      const whole = records.slice(0, ends.filter((end) => end <= size).length - 1)
      expect((await journal.load("r"))?.records, `${size} bytes`).toEqual(whole)
      expect(warnings.map((warning) => warning.file)).toEqual(ends.includes(size) ? [] : [file])
      await journal.append("r", [7, true, null, 4])
      expect((await journal.load("r"))?.records).toEqual([...whole, [7, true, null, 4]])
      await journal.release("r")
    }
  })

  test("is not a run if it is truncated inside its header, and the id can be used again", async () => {
    const { place, file } = await written()
    const journal = jsonlJournal(place)
    for (const size of [0, 1, 50]) {
      writeFileSync(file, readFileSync(file).subarray(0, size))
      expect(await journal.load("r")).toBeNull()
      expect(await journal.list()).toEqual([])
      await journal.acquire("r")
      await journal.create(header)
      expect((await journal.load("r"))?.header).toEqual(header)
      await journal.release("r")
    }
  })

  test("loses invalid bytes at its end, which a crash can leave", async () => {
    for (const rubbish of [
      "\u0000\u0000\u0000\n\u0000\n",
      "[2,tr\n",
      "[]\n{}\n",
      Buffer.from([0xff, 0xfe, 10]),
    ]) {
      const { place, file } = await written()
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from(rubbish)]))
      const warnings: JournalWarning[] = []
      const journal = jsonlJournal(place, { onWarning: (warning) => warnings.push(warning) })
      await journal.acquire("r")
      expect([(await journal.load("r"))?.records, warnings.length]).toEqual([records, 1])
      expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(3)
    }
  })

  test.each([
    ["an incomplete record before its end", 1, "[0,tr"],
    ["an invalid record before its end", 1, '[0,"yes",null]'],
    ["an invalid header", 0, "{}"],
  ])("causes an error with the file and the line if it has %s", async (_, line, wrong) => {
    const { place, file } = await written()
    const lines = readFileSync(file, "utf8").split("\n")
    writeFileSync(file, lines.with(line, wrong).join("\n"))
    const warnings: JournalWarning[] = []
    const journal = jsonlJournal(place, { onWarning: (warning) => warnings.push(warning) })
    const refusal = {
      code: "journal_corrupt",
      message: expect.stringContaining(`line ${line + 1} of ${file}`),
    }
    await expect((async () => journal.load("r"))()).rejects.toMatchObject(refusal)
    await expect(journal.acquire("r")).rejects.toMatchObject(refusal)
    await expect(createRunner({ journal }).resume("r")).rejects.toMatchObject(refusal)
    // A list only reads both ends of a file, so it only detects the invalid header.
    const listed = {
      runIds: (await journal.list()).map(({ runId }) => runId),
      warned: warnings.map((warning) => warning.file),
    }
    expect(listed).toEqual(
      line === 0 ? { runIds: [], warned: [file] } : { runIds: ["r"], warned: [] },
    )
    expect(readFileSync(file, "utf8")).toBe(lines.with(line, wrong).join("\n"))
  })

  test("is not written to again after another process has changed it", async () => {
    const { place, file } = await written()
    const journal = jsonlJournal(place)
    await journal.acquire("r")
    const theirs = `${readFileSync(file, "utf8")}[7,true,"theirs",9]\n`
    writeFileSync(file, theirs)
    for (const _ of [1, 2])
      await expect((async () => journal.append("r", [8, true, "ours", 9]))()).rejects.toMatchObject(
        { code: "run_owned" },
      )
    expect(readFileSync(file, "utf8")).toBe(theirs)
  })

  test("causes an error with its format if the format is unknown", async () => {
    const { place, file } = await written()
    writeFileSync(file, readFileSync(file, "utf8").replace('"format":2', '"format":3'))
    await expect(createRunner({ journal: jsonlJournal(place) }).resume("r")).rejects.toMatchObject({
      code: "journal_corrupt",
      message: expect.stringContaining("format 3"),
    })
  })
})

describe("a folder of journals", () => {
  test("contains no owner files and no leases if no run has an owner", async () => {
    const { place } = await written()
    expect(readdirSync(place, { recursive: true }).map(String).sort()).toEqual([
      ".leases",
      ".owners",
      "r.jsonl",
    ])
  })

  test("stores more concurrent runs than a process can have open files", async () => {
    const place = newPlace()
    const chart = chartOf([
      sequence("line", ["first", "fan"]),
      llm("first"),
      parallel("fan", ["one", "two"]),
      llm("one"),
      llm("two"),
    ])
    const services = scriptedServices({
      first: [{ content: "a" }],
      one: [{ content: "b" }],
      two: [{ content: "c" }],
    })
    const runner = createRunner({ ...services, journal: jsonlJournal(place) })
    const results = await Promise.all(
      Array.from({ length: 1100 }, (_, n) => runner.start(chart, { runId: `r${n}` }).result),
    )
    expect(results.filter(({ status }) => status !== "completed")).toEqual([])
    expect(
      (await jsonlJournal(place).list()).filter(
        ({ status, owner }) => status === "completed" && owner === null,
      ),
    ).toHaveLength(1100)
  })
})
