import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"

const folder = mkdtempSync(join(tmpdir(), "disks-"))
afterAll(() => rmSync(folder, { recursive: true }))

const program = fileURLToPath(new URL("./writing-process.mjs", import.meta.url))

interface Outcome {
  readonly status: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly called: readonly string[]
  readonly stored: number
}

/** A process that writes large answers to a journal; `limit`: kilobytes that a file may have. Root may write anywhere, so it goes as nobody. */
function write(kind: string, place: string, { limit = "unlimited", asNobody = false }: { readonly limit?: string; readonly asNobody?: boolean } = {}): Promise<Outcome> {
  const nobody = asNobody && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn("bash", ["-c", `ulimit -f ${limit}; exec "$@"`, "bash", process.execPath, program, kind, place], { stdio: ["ignore", "pipe", "pipe"], ...nobody })
  let [said, complained] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()))
  return new Promise((resolve, reject) => child.on("close", () => (said === "" ? reject(new Error(complained)) : resolve(JSON.parse(said) as Outcome))))
}

describe.skipIf(!isBuilt).each([
  ["JSONL", "full"],
  ["SQLite", "full.sqlite"],
])("a disk that is full, under %s", (kind, name) => {
  test("ends the run with a typed error; what was stored is kept, and the run can be resumed when there is room", async () => {
    const place = join(folder, name)
    // A file may not become larger: the kernel refuses the write, as it does on a full disk.
    const full = await write(kind, place, { limit: "300" })
    expect(full).toMatchObject({ status: "failed", error: { code: "journal_failed", message: expect.stringContaining(place) } })
    expect(full.stored).toBeGreaterThan(0)
    expect(full.stored).toBeLessThan(20)
    const resumed = await write(kind, place)
    expect(resumed).toMatchObject({ status: "completed", error: null, stored: 20 })
    expect(resumed.called).toHaveLength(20 - full.stored)
    expect(full.called.slice(0, full.stored).filter((key) => resumed.called.includes(key))).toEqual([])
  })
})

describe.skipIf(!isBuilt).each([
  ["JSONL", "locked/runs"],
  ["SQLite", "locked/runs.sqlite"],
])("a folder that may not be written to, under %s", (kind, name) => {
  test("is told by name, and no call is made", async () => {
    const refused = await write(kind, join(folder, name), { asNobody: true })
    expect(refused).toMatchObject({ status: "failed", error: { code: "journal_failed", message: expect.stringContaining(join(folder, name)) }, called: [] })
  })
})
