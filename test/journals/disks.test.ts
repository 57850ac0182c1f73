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

/** Runs a command and returns the outcomes that its processes print, one in each line. */
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

/**
 * Starts a process that writes large responses to a journal. `limit` is the maximum size of a file in kilobytes. Root can write
 * anywhere, so with `asNobody` the process runs as the user nobody.
 */
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
])("a full disk with a %s journal", (kind, name) => {
  test("fails the run with journal_failed, and the run can be resumed from its stored records", async () => {
    const place = join(folder, name)
    // The kernel refuses writes over the limit, as on a full disk.
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
])("a folder without write access, with a %s journal", (kind, name) => {
  test("a run fails with journal_failed and makes no call", async () => {
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
])("a folder that becomes read-only, with a %s journal", (kind, name) => {
  test("a run without write access makes no call and fails with the name of its file, until it has access", async () => {
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

/** Whether a process can mount its own file system, which is removed when the process ends. */
const mayMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", folder]).status === 0

describe.skipIf(!isBuilt || !mayMount).each([
  ["JSONL", "runs"],
  ["SQLite", "runs.sqlite"],
])("a small file system with a %s journal", (kind, name) => {
  test("a run fails if the file system is full or read-only, and later continues without losses", async () => {
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
