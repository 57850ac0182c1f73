import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { isBuilt } from "../cli/command.js"
import { chartOf, llm, sequence } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "two-processes-"))
afterAll(() => rmSync(folder, { recursive: true }))

const program = fileURLToPath(new URL("./resuming-process.mjs", import.meta.url))

/** Starts a model over HTTP that does not respond until `open` is called, and counts the calls for each idempotency key. */
async function holdingModel() {
  const asked = new Map<string, number>()
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let arrived = (): void => {}
  const server = createServer((request, response) => {
    const key = String(request.headers["idempotency-key"])
    asked.set(key, (asked.get(key) ?? 0) + 1)
    arrived()
    request.resume().on("error", () => {})
    void opened.then(() => response.end(JSON.stringify({ content: `${key} is done` })))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const nextCall = (): Promise<void> => new Promise((resolve) => (arrived = resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    open,
    nextCall,
  }
}

function resumingProcess(kind: string, place: string) {
  const child = spawn(process.execPath, [program, kind, place], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}

describe.skipIf(!isBuilt).each([
  ["JSONL", () => jsonlJournal(join(folder, "runs")), join(folder, "runs")],
  ["SQLite", () => sqliteJournal(join(folder, "runs.sqlite")), join(folder, "runs.sqlite")],
] as const)("processes that resume one run in %s", (kind, openJournal, place) => {
  test("one process resumes the run, the other processes are refused, and no call is made by two processes", async () => {
    const model = await holdingModel()
    const http = { httpConfig: { url: model.url, method: "POST" } }
    const chart = chartOf([
      sequence("line", ["first", "second"]),
      llm("first", http),
      llm("second", http),
    ])
    const services = createHttpServices()
    const runner = createRunner({ http: services, journal: openJournal() })
    const called = model.nextCall()
    runner.start(chart, { runId: "r" })
    await called
    await runner.close()
    await services.close()

    const all = Array.from({ length: 5 }, () => resumingProcess(kind, place))
    const said = await Promise.all(all.map((next) => next()))
    const refused = said.filter((word) => word === "run_owned").length
    // If several processes try to acquire the run at the same time, all of them can be refused. Then the next process resumes it.
    const winner = said.includes("resumed")
      ? all[said.indexOf("resumed")]
      : resumingProcess(kind, place)
    if (!said.includes("resumed")) expect(await winner?.()).toBe("resumed")
    expect(refused, String(said)).toBe(said.includes("resumed") ? 4 : 5)
    expect(await resumingProcess(kind, place)()).toBe("run_owned")

    model.open()
    expect(await winner?.()).toBe("completed: r/line/second#0 is done")
    expect([...model.asked]).toEqual([
      ["r/line/first#0", 2],
      ["r/line/second#0", 1],
    ])
    expect(await resumingProcess(kind, place)()).toBe("resumed")
    expect(model.asked.size).toBe(2)
  })
})
