import { spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
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

/** What the processes of a command of bash say, a line each. */
function say(
  command: string,
  args: readonly string[],
  as: { readonly uid?: number; readonly gid?: number } = {},
): Promise<readonly Outcome[]> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...as })
  let [said, complained] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()))
  const outcomes = (): readonly Outcome[] =>
    said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Outcome)
  return new Promise((resolve, reject) =>
    child.on("close", () => (said === "" ? reject(new Error(complained)) : resolve(outcomes()))),
  )
}

/** A process that writes large answers to a journal; `limit`: kilobytes that a file may have. Root may write anywhere, so it goes as nobody. */
async function write(
  kind: string,
  place: string,
  {
    limit = "unlimited",
    asNobody = false,
  }: { readonly limit?: string; readonly asNobody?: boolean } = {},
): Promise<Outcome> {
  const nobody = asNobody && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const [outcome] = await say(
    "bash",
    ["-c", `ulimit -f ${limit}; exec "$@"`, "bash", process.execPath, program, kind, place],
    nobody,
  )
  return outcome as Outcome
}

describe.skipIf(!isBuilt).each([
  ["JSONL", "full"],
  ["SQLite", "full.sqlite"],
])("a disk that is full, under %s", (kind, name) => {
  test("ends the run with a typed error; what was stored is kept, and the run can be resumed when there is room", async () => {
    const place = join(folder, name)
    // A file may not become larger: the kernel refuses the write, as it does on a full disk.
    const full = await write(kind, place, { limit: "300" })
    expect(full).toMatchObject({
      status: "failed",
      error: { code: "journal_failed", message: expect.stringContaining(place) },
    })
    expect(full.stored).toBeGreaterThan(0)
    expect(full.stored).toBeLessThan(20)
    const resumed = await write(kind, place)
    expect(resumed).toMatchObject({ status: "completed", error: null, stored: 20 })
    expect(resumed.called).toHaveLength(20 - full.stored)
    expect(full.called.slice(0, full.stored).filter((key) => resumed.called.includes(key))).toEqual(
      [],
    )
  })
})

describe.skipIf(!isBuilt).each([
  ["JSONL", "locked/runs"],
  ["SQLite", "locked/runs.sqlite"],
])("a folder that may not be written to, under %s", (kind, name) => {
  test("a failure of the disk has a code, and no call is made", async () => {
    const refused = await write(kind, join(folder, name), { asNobody: true })
    expect(refused).toMatchObject({
      status: "failed",
      error: { code: "journal_failed", message: expect.stringContaining(join(folder, name)) },
      called: [],
    })
  })
})

describe.skipIf(!isBuilt).each([
  ["JSONL", "runs"],
  ["SQLite", "runs.sqlite"],
])("a folder that becomes read-only, under %s", (kind, name) => {
  test("a run without access to its files is not resumed: the typed error names the file, no call is made, and the run continues once it has access", async () => {
    const outer = mkdtempSync(join(tmpdir(), "disks-open-"))
    const inner = join(outer, "inner")
    mkdirSync(inner)
    for (const open of [outer, inner]) chmodSync(open, 0o777)
    const place = join(inner, name)
    const files = (): readonly string[] =>
      readdirSync(inner, { recursive: true, withFileTypes: true })
        .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
        .sort()
    const modes = (folders: number, file: number): void => {
      for (const path of files()) chmodSync(path, file)
      for (const entry of readdirSync(inner, { recursive: true, withFileTypes: true }))
        if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), folders)
      chmodSync(inner, folders)
    }
    const begun = await write(kind, place, { limit: "300", asNobody: true })
    expect(begun).toMatchObject({ status: "failed", error: { code: "journal_failed" } })
    modes(0o555, 0o444)
    const before = files().map((path) => [path, readFileSync(path)])
    const refused = await write(kind, place, { asNobody: true })
    expect(refused).toMatchObject({
      status: "failed",
      error: {
        code: "journal_failed",
        message: expect.stringMatching(
          new RegExp(`${place}.*(permission is denied|read-only|cannot be opened)`),
        ),
      },
      called: [],
    })
    expect(files().map((path) => [path, readFileSync(path)])).toEqual(before)
    modes(0o777, 0o666)
    const resumed = await write(kind, place, { asNobody: true })
    expect(resumed).toMatchObject({ status: "completed", stored: 20 })
    expect(resumed.called).toHaveLength(20 - begun.stored)
    rmSync(outer, { recursive: true })
  })
})

/** A file system of its own, which is gone with the process: where the system lets a process have one. */
const mayMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", folder]).status === 0

describe.skipIf(!isBuilt || !mayMount).each([
  ["JSONL", "runs"],
  ["SQLite", "runs.sqlite"],
])("a file system, under %s", (kind, name) => {
  test("that has no room left, then is read-only, then neither: twice a typed error, and a run that has lost nothing", async () => {
    const place = join(folder, name)
    const play = `"$2" "$3" "$4" "$5"`
    const script = `mount -t tmpfs -o size=300k tmpfs "$1" && ${play}; mount -o remount,ro,size=20m "$1" && ${play}; mount -o remount,rw "$1" && ${play}`
    const [full, readOnly, resumed] = await say("unshare", [
      "-rm",
      "bash",
      "-c",
      script,
      "bash",
      folder,
      process.execPath,
      program,
      kind,
      place,
    ])
    expect(full).toMatchObject({
      status: "failed",
      error: { code: "journal_failed", message: expect.stringContaining("the disk is full") },
    })
    expect(full?.stored).toBeGreaterThan(0)
    expect(readOnly).toMatchObject({
      status: "failed",
      error: {
        code: "journal_failed",
        message: expect.stringMatching(new RegExp(`${place}.*(read-only|cannot be opened)`)),
      },
      called: [],
    })
    expect(resumed).toMatchObject({ status: "completed", error: null, stored: 20 })
    expect(resumed?.called).toHaveLength(20 - (full?.stored ?? 0))
  })
})
