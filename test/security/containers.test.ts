import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { isBuilt } from "../cli/command.js"
import { chartOf, llm } from "../support/workflow.js"

const place = mkdtempSync(join(tmpdir(), "containers-"))
afterAll(() => rmSync(place, { recursive: true }))

const program = fileURLToPath(new URL("../journals/owner-process.mjs", import.meta.url))

/** The arguments of `unshare` that run a command in its own PID and UTS namespaces, like a container. */
const flags = "--user --map-root-user --pid --uts --fork --mount-proc --kill-child"
const isolated = [...flags.split(" "), "sh", "-c", 'hostname app && exec "$0" "$@"']
const canIsolate = spawnSync("unshare", [...isolated, "true"]).status === 0
if (!canIsolate) console.warn("containers.test.ts is skipped: unshare cannot make PID namespaces")

/** Starts a process in its own namespaces that tries to acquire the run "r". `said` returns the next line that it prints. */
function container(kind: string, path: string) {
  const child = spawn(
    "unshare",
    [...isolated, process.execPath, program, kind, path, "app", "300"],
    { stdio: ["pipe", "pipe", "inherit"] },
  )
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

describe.skipIf(!isBuilt || !canIsolate).each([
  ["JSONL", () => jsonlJournal(join(place, "runs")), join(place, "runs")],
  ["SQLite", () => sqliteJournal(join(place, "runs.sqlite")), join(place, "runs.sqlite")],
] as const)("containers with the same host name that share a journal in %s", (kind, open, path) => {
  test("a container cannot acquire the run of a live container, but acquires the run of a dead one", async () => {
    const journal = open()
    await journal.create({
      format: 1,
      runId: "r",
      chart: chartOf([llm("one")]),
      input: { prompt: null, state: {} },
      at: 1,
    })
    await journal.release("r")
    const first = container(kind, path)
    expect(await first.said()).toBe("owned")
    const second = container(kind, path)
    expect(await second.said()).toBe("run_owned")
    first.tell("append")
    expect(await first.said()).toBe("stored")
    first.child.kill("SIGKILL")
    await first.ended
    // Until its lease ends, the dead owner cannot be distinguished from a live one in another container.
    let third = container(kind, path)
    let said = await third.said()
    for (; said === "run_owned"; said = await third.said()) third = container(kind, path)
    expect(said).toBe("owned")
    third.tell("append")
    expect(await third.said()).toBe("stored")
    expect((await journal.load("r"))?.records).toHaveLength(2)
  })
})
