import type { ChildProcess } from "node:child_process"
import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the PostgreSQL programs, from the path or from the default of Debian. Null: not installed. */
export const programs: string | null = (() => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))
    : []
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ]
  return (
    folders.find((folder) =>
      ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))),
    ) ?? null
  )
})()

export const whyNot =
  "PostgreSQL is not installed (initdb, postgres and psql are neither on the path nor in /usr/lib/postgresql)"

export interface Postgres {
  /** The URL of a database that DBOS creates when it first connects. */
  readonly url: string
  /** Returns the result of a query, one line for each row. */
  query(sql: string): string
  /** Returns the result of a query in another database. */
  queryIn(database: string, sql: string): string
  /** Kills the server with SIGKILL, and starts a new server with the same files. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL does not run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Starts a server of PostgreSQL with an empty database, on a free local port. `fsync` is
 * only needed for measurements, because no test loses power.
 */
export async function startPostgres({ fsync = false } = {}): Promise<Postgres> {
  if (programs === null) throw new Error(whyNot)
  const folder = mkdtempSync(join(tmpdir(), "postgres-"))
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, "data")
  execFileSync("cp", ["-R", newCluster(programs), data])
  if (nobody.uid !== undefined) execFileSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, data])
  const port = await freePort()
  const setting = `fsync=${fsync ? "on" : "off"}`
  let server = await start(data, folder, port, setting)
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/agents`,
    query: (sql) => psql(port, "agents", sql),
    queryIn: (database, sql) => psql(port, database, sql),
    async crash() {
      await ended(server, "SIGKILL")
      server = await start(data, folder, port, setting)
    },
    async stop() {
      // The files are removed, so the server does not need to write them.
      await ended(server, "SIGQUIT")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const caches = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url))

/**
 * Returns the folder of a new database cluster. `initdb` needs ten times the CPU time of a copy of its result, so the result
 * stays in `node_modules/`, where Vitest stores the transformed files.
 */
function newCluster(postgresFolder: string): string {
  const initdb = join(postgresFolder, "initdb")
  const [version = ""] = /[\d.]+/.exec(execFileSync(initdb, ["--version"]).toString()) ?? []
  const cluster = join(caches, `postgres-${version}`)
  if (existsSync(cluster)) return cluster
  const made = mkdtempSync(join(tmpdir(), "postgres-"))
  if (nobody.uid !== undefined) chownSync(made, nobody.uid, nobody.gid)
  const data = join(made, "data")
  execFileSync(
    initdb,
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--wal-segsize=1"],
    { ...nobody, cwd: made, stdio: "pipe" },
  )
  mkdirSync(caches, { recursive: true })
  const copy = `${cluster}.${process.pid}`
  execFileSync("cp", ["-R", data, copy])
  rmSync(made, { recursive: true })
  try {
    renameSync(copy, cluster)
  } catch (error) {
    // Another process may have stored the same files meanwhile.
    rmSync(copy, { recursive: true })
    if (!existsSync(cluster)) throw error
  }
  return cluster
}

const psql = (port: number, database: string, sql: string): string =>
  execFileSync(
    join(programs ?? "", "psql"),
    ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", database, "-At", "-c", sql],
    { encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 },
  ).trim()

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      )
    })
  })

const ended = (server: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.on("close", () => resolve())
    server.kill(signal)
  })

/** Starts a server and waits until it responds. After a crash, the first attempts may fail because the old server has not ended. */
async function start(
  data: string,
  folder: string,
  port: number,
  setting: string,
): Promise<ChildProcess> {
  let said = ""
  for (let tries = 0; tries < 100; tries++) {
    const server = spawn(
      join(programs ?? "", "postgres"),
      ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, "-c", setting],
      { ...nobody, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    )
    server.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()))
    while (server.exitCode === null) {
      try {
        psql(port, "postgres", "select 1")
        return server
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  throw new Error(`PostgreSQL does not start: ${said.slice(-2_000)}`)
}
