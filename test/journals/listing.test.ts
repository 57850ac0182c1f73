import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { ChainChecksum } from "../../src/adapters/journal/checksums.js"
import { addChecksum } from "../../src/adapters/journal/checksums.js"
import {
  headerText,
  readLines,
  recordText,
  statusText,
} from "../../src/adapters/journal/jsonl/journal-lines.js"
import type { JournalWarning } from "../../src/adapters/journal/journal-warning.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import type { JournalHeader, StoredRunStatus } from "../../src/runtime/journal/journal.js"
import { chartOf, llm } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "listing-"))
afterAll(() => rmSync(folder, { recursive: true }))

const header: JournalHeader = {
  format: 1,
  runId: "r",
  chart: chartOf([llm("one")]),
  input: { prompt: "ä", state: {} },
  at: 1,
}
const waiting: StoredRunStatus = {
  status: "waiting",
  pending: [
    {
      id: "one#0",
      kind: "input",
      agent: "one",
      path: "one",
      branch: null,
      prompt: "€".repeat(3000),
      details: null,
    },
  ],
  at: 2,
}

/** Returns lines in the format of a journal, each with a checksum. */
function linesOf(texts: readonly string[]): string {
  let chain: ChainChecksum = 0
  return texts
    .map((json) => {
      const written = addChecksum(json, chain)
      chain = written.chain
      return `${written.text}\n`
    })
    .join("")
}

/** Returns the list according to the whole file. */
function listedFrom(file: string): readonly object[] {
  const lines = readLines(readFileSync(file), file)
  if (lines === null) return []
  const { status: standing } = lines
  return [
    {
      runId: lines.header.runId,
      chart: lines.header.chart.id,
      startedAt: lines.header.at,
      status: standing?.status ?? "running",
      pending: standing?.pending ?? [],
      ...(standing !== null && standing.status !== "running" && { settledAt: standing.at }),
      owner: null,
    },
  ]
}

describe("a list of runs in a folder", () => {
  test("only reads the two ends of a long run (8 GB)", async () => {
    const place = join(folder, "long")
    const journal = jsonlJournal(place)
    await journal.create(header)
    await journal.release("r")
    const file = join(place, "r.jsonl")
    // The middle of the file is a hole. Reading it would take minutes, or fail because no buffer is that large.
    truncateSync(file, 8 * 2 ** 30)
    appendFileSync(file, `\n${linesOf([statusText(waiting)])}`)
    expect(statSync(file).size).toBeGreaterThan(8 * 2 ** 30)
    expect(await journal.list()).toEqual([
      {
        runId: "r",
        chart: "one",
        startedAt: 1,
        status: "waiting",
        pending: waiting.pending,
        settledAt: 2,
        owner: null,
      },
    ])
  })

  test("only reads the first fields of a header", async () => {
    const place = join(folder, "much")
    const journal = jsonlJournal(place)
    const warnings: JournalWarning[] = []
    await journal.create({ ...header, runId: "much", about: { note: "x" } })
    await journal.append("much", [0, true, "y", 2])
    await journal.release("much")
    const file = join(place, "much.jsonl")
    const [first = "", ...rest] = readFileSync(file, "utf8").split("\n")
    expect(first).toMatch(
      /"fingerprint":"[0-9a-f]{64}","chartId":"one","head":"[0-9a-f]{8}","about":/,
    )
    // A list does not read the invalid part of the header. Loading the run reports it.
    writeFileSync(file, [first.replace('"input":', '"input":?'), ...rest].join("\n"))
    expect(
      await jsonlJournal(place, { onWarning: (warning) => warnings.push(warning) }).list(),
    ).toMatchObject([{ runId: "much", status: "running" }])
    expect(warnings).toEqual([])
    expect(() => jsonlJournal(place).load("much")).toThrow(
      expect.objectContaining({ code: "journal_corrupt" }),
    )
  })

  const large = (bytes: number): string =>
    recordText([0, true, { content: "ä€😀".repeat(bytes / 9) }, 2])
  /** Returns a header without checksums. */
  const older = (header: JournalHeader): string =>
    headerText(header)
      .replace('"format":2', '"format":1')
      .replace(/"head":"[0-9a-f]{8}",/, "")
  const oldest = older(header).replace('"chartId":"one",', "")

  test.each([
    ["that runs", linesOf([headerText(header), large(90), large(20_000)])],
    ["that waits", linesOf([headerText(header), large(9000), statusText(waiting)])],
    [
      "that continued after it had waited",
      linesOf([headerText(header), statusText(waiting), large(18_000)]),
    ],
    [
      "with invalid data at its end",
      `${linesOf([headerText(header), large(90), statusText(waiting)])}\u0000\u0000\n\u0000\n[1,tr\n[]\n\n{}\n`,
    ],
    [
      "with a large header",
      linesOf([
        headerText({ ...header, about: { note: "ä".repeat(9000) } }),
        large(90),
        statusText(waiting),
      ]),
    ],
    [
      "whose id is longer than the part that is read first",
      linesOf([headerText({ ...header, runId: "ä".repeat(5000) }), statusText(waiting)]),
    ],
    ["without checksums", [older(header), large(90), statusText(waiting), ""].join("\n")],
    [
      "of the oldest version",
      [oldest, large(90), statusText(waiting), "[1,tr", "{}", ""].join("\n"),
    ],
  ])(
    "contains a run %s as the whole file describes it, even if the file is truncated",
    async (name, text) => {
      const place = join(folder, name.replaceAll(" ", "-"))
      await jsonlJournal(place).create(header)
      const file = join(place, "r.jsonl")
      const bytes = Buffer.from(text)
      const ends = [...bytes.keys()].filter((at) => bytes[at] === 10)
      const cuts = [
        ...ends,
        ...Array.from({ length: bytes.length / 1024 }, (_, n) => n * 1024),
      ].flatMap((at) => [-2, -1, 0, 1, 2].map((by) => at + by))
      for (const cut of [...cuts, bytes.length].filter((at) => at >= 0 && at <= bytes.length)) {
        writeFileSync(file, bytes.subarray(0, cut))
        expect(
          (await jsonlJournal(place).list()).map((run) => ({ ...run, owner: null })),
          `cut at ${cut} of ${bytes.length}`,
        ).toEqual(listedFrom(file))
      }
    },
  )
})
