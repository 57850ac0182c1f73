import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import type { LeaseOptions } from "../../src/adapters/journal/owner.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { isBuilt } from "../cli/command.js"
import { chartOf, llm } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "owners-"))
afterAll(() => rmSync(folder, { recursive: true }))

const program = fileURLToPath(new URL("./owner-process.mjs", import.meta.url))
const day = 86_400_000
/** Renewals every 800 ms leave the database unlocked for others, even if a disk needs half a second to sync. */
const leaseMs = 2400
let places = 0

const kinds = {
  JSONL: {
    place: () => join(folder, `runs-${places++}`),
    open: (place: string, options?: LeaseOptions) => jsonlJournal(place, options),
  },
  SQLite: {
    place: () => join(folder, `runs-${places++}.sqlite`),
    open: (place: string, options?: LeaseOptions) => sqliteJournal(place, options),
  },
} as const

/** Starts a process that tries to acquire the run "r". `said` returns the next line of its output. */
function owner(kind: string, place: string, ...options: readonly string[]) {
  const child = spawn(process.execPath, [program, kind, place, ...options], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const ended = new Promise((resolve) => child.on("close", resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    ended,
    said: async () => String((await lines.next()).value),
    tell: (line: string) => void child.stdin.write(`${line}\n`),
  }
}

describe.skipIf(!isBuilt).each(["JSONL", "SQLite"] as const)("owners of a run in %s", (kind) => {
  const { place: newPlace, open } = kinds[kind]
  const withRun = async (): Promise<string> => {
    const place = newPlace()
    const journal = open(place)
    await journal.create({
      format: 1,
      runId: "r",
      chart: chartOf([llm("one")]),
      input: { prompt: null, state: {} },
      at: 1,
    })
    await journal.release("r")
    return place
  }

  test("at most one of several processes acquires a run, and another process can acquire it after a kill", async () => {
    const place = await withRun()
    const all = Array.from({ length: 6 }, () => owner(kind, place))
    const said = await Promise.all(all.map(({ said: next }) => next()))
    expect(said.filter((word) => word === "owned").length, String(said)).toBeLessThanOrEqual(1)
    expect(said.filter((word) => word === "run_owned").length, String(said)).toBeGreaterThanOrEqual(
      5,
    )
    for (const { child, ended } of all) {
      child.kill("SIGKILL")
      await ended
    }
    await open(place).acquire("r")
  })

  test("an owner that is alive on the same machine keeps its run, even if the clock jumps", async () => {
    const place = await withRun()
    const first = owner(kind, place)
    expect(await first.said()).toBe("owned")
    for (const jump of [-day, day, 365 * day]) {
      const later = open(place, { now: () => Date.now() + jump })
      await expect(later.acquire("r")).rejects.toMatchObject({
        code: "run_owned",
        message: expect.stringContaining(`process ${first.child.pid} on`),
      })
    }
    first.tell("append")
    expect(await first.said()).toBe("stored")
  })

  test("an owner on another machine keeps its run while it renews its lease, even if the local clock jumps", async () => {
    const place = await withRun()
    const far = owner(kind, place, "far-away", String(leaseMs))
    expect(await far.said()).toBe("owned")
    for (const jump of [-day, day]) {
      const here = open(place, { leaseMs, now: () => Date.now() + jump })
      await expect(here.acquire("r")).rejects.toMatchObject({
        code: "run_owned",
        message: expect.stringContaining("on far-away"),
      })
    }
    far.tell("append")
    expect(await far.said()).toBe("stored")
  })

  test("a killed owner on another machine loses its run, even if the local clock jumps back", async () => {
    const place = await withRun()
    const far = owner(kind, place, "far-away", String(leaseMs))
    expect(await far.said()).toBe("owned")
    far.child.kill("SIGKILL")
    await far.ended
    const here = open(place, { leaseMs, now: () => Date.now() - day })
    await here.acquire("r")
    await here.append("r", [0, true, "mine", 1])
  })

  test("an owner that was stopped for longer than its lease can no longer store records", async () => {
    const place = await withRun()
    const far = owner(kind, place, "far-away", String(leaseMs))
    expect(await far.said()).toBe("owned")
    far.child.kill("SIGSTOP")
    const here = open(place, { leaseMs, now: () => Date.now() + day })
    await here.acquire("r")
    far.child.kill("SIGCONT")
    far.tell("append")
    expect(await far.said()).toBe("run_owned")
    await here.append("r", [0, true, "mine", 1])
    expect((await here.load("r"))?.records).toEqual([[0, true, "mine", 1]])
  })
})
