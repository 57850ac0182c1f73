import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped in part: ${whyNot}`)

const folder = join(projectFolder, "examples/deploy")
const read = (name: string): string => readFileSync(join(folder, name), "utf8")

interface Service {
  readonly image?: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly stop_grace_period?: string
  readonly healthcheck: { readonly test: readonly string[] }
  readonly volumes?: readonly string[]
}

const compose = parse(read("compose.yaml")) as {
  readonly services: Readonly<Record<"database" | "server", Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const { database, server } = compose.services

/** The instructions of the Dockerfile. */
const instructions = read("Dockerfile")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const)
const argumentsOf = (name: string): string =>
  instructions.find(([instruction]) => instruction === name)?.[1] ?? ""
const entrypoint = JSON.parse(argumentsOf("ENTRYPOINT")) as readonly string[]

describe("the files of examples/deploy", () => {
  test("the image runs a command that the package contains, as a user without privileges", () => {
    expect(argumentsOf("FROM")).toMatch(/^node:\d+/)
    expect(argumentsOf("USER")).toBe("node")
    expect(entrypoint[0]).toBe("node")
    const program = entrypoint[1]?.replace("node_modules/agent-statecharts/", "") ?? ""
    expect(existsSync(join(projectFolder, program)) || !isBuilt).toBe(true)
    expect(read(".dockerignore").split("\n")).toContain(".env")
  })

  test("the server waits for the database, and Docker waits longer than the server drains", () => {
    expect(server.depends_on?.["database"]?.condition).toBe("service_healthy")
    expect(database.healthcheck.test.slice(0, 2)).toEqual(["CMD", "pg_isready"])
    const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment
    const url = new URL(valueAfter("--journal"))
    expect([url.username, url.hostname, url.pathname, url.password]).toEqual([
      user,
      "database",
      `/${name}`,
      "",
    ])
    expect(parseInt(server.stop_grace_period ?? "0", 10)).toBeGreaterThan(
      Number(valueAfter("--drain")),
    )
    const [volume = ""] = database.volumes ?? []
    expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0])
    expect(server.ports).toEqual([`127.0.0.1:4000:${valueAfter("--port")}`])
  })
})

const valueAfter = (option: string): string =>
  server.command?.[(server.command ?? []).indexOf(option) + 1] ?? ""

const workflow = { rootAgentId: "slow", agents: [{ type: "LlmAgent", id: "slow", model: "any" }] }
const scenario = { llm: { slow: [{ delayMs: 1500, content: "Done.", exitFlow: true }] } }

describe.skipIf(!isBuilt || !isThere)("the commands of examples/deploy", () => {
  let place: string
  let postgres: Postgres
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "deploy-"))
    postgres = await startPostgres()
    // The folder has the content of the image: the package, and the workflows of the project.
    mkdirSync(join(place, "node_modules"))
    symlinkSync(projectFolder, join(place, "node_modules/agent-statecharts"))
    cpSync(join(projectFolder, "examples/human-approval"), join(place, "workflows/trip"), {
      recursive: true,
    })
  })
  afterAll(async () => {
    rmSync(place, { recursive: true })
    await postgres?.stop()
  })

  test("the server becomes ready after its start, and is not ready without its database", async () => {
    const journal = postgres.url.replace(/agents$/, "postgres")
    const port = String(20_000 + (process.pid % 20_000))
    const command = (server.command ?? []).map((part) =>
      part === valueAfter("--journal") ? journal : part === "4000" ? port : part,
    )
    const [program = "", ...first] = entrypoint
    const child = spawn(program, [...first, ...command], {
      cwd: place,
      env: { ...process.env, AGENT_STATECHARTS_TOKEN: "test-token" },
      stdio: ["ignore", "pipe", "inherit"],
    })
    const isHealthy = (): number | null => {
      const [, check = "", ...args] = server.healthcheck.test
      return spawnSync(
        check,
        args.map((part) => part.replace(":4000/", `:${port}/`)),
      ).status
    }
    expect(isHealthy()).toBe(1)
    await expect.poll(isHealthy, { interval: 200 }).toBe(0)
    const get = async (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
    expect(await (await get("/ready")).json()).toEqual({ status: "ready" })
    expect((await get("/v1/workflows")).status).toBe(401)
    await postgres.crash()
    await expect.poll(isHealthy, { interval: 200 }).toBe(0)
    await postgres.stop()
    await expect.poll(async () => (await get("/ready")).status).toBe(503)
    expect(await (await get("/ready")).json()).toMatchObject({ code: "not_ready" })
    expect((await get("/health")).status).toBe(200)
    child.kill("SIGTERM")
    const [code] = await once(child, "close")
    expect(code).toBe(0)
  })
})

describe.skipIf(!isBuilt)("agent-statecharts serve --drain", () => {
  const stop = async (more: readonly string[]) => {
    const place = mkdtempSync(join(tmpdir(), "drain-"))
    mkdirSync(join(place, "work/slow"), { recursive: true })
    writeJson(join(place, "work/slow/workflow.json"), workflow)
    writeJson(join(place, "work/slow/scenario.json"), scenario)
    const options = ["--scripted", "--token", "test-token"]
    const one = await startServerProcess(join(place, "work"), join(place, "runs"), [
      ...options,
      ...more,
    ])
    const body = { workflow: "slow", prompt: "Go", runId: "r" }
    expect((await one.ask("/v1/runs", { method: "POST", body })).status).toBe(201)
    const stopped = one.stop()
    await expect
      .poll(() =>
        fetch(`${one.origin}/ready`).then(
          ({ status }) => status,
          () => 503,
        ),
      )
      .toBe(503)
    expect(await stopped).toBe(0)
    const two = await startTestServer(join(place, "work"), join(place, "runs"), options)
    const { body: run } = await two.ask("/v1/runs/r")
    expect(await two.stop()).toBe(0)
    rmSync(place, { recursive: true })
    return run["status"]
  }

  test("--drain completes the calls in flight, and runs are interrupted without it or after its time", async () => {
    expect(await stop(["--drain", "10"])).toBe("completed")
    expect(await stop([])).toBe("running")
    expect(await stop(["--drain", "1"])).toBe("running")
  })
})

const writeJson = (file: string, value: unknown): void => writeFileSync(file, JSON.stringify(value))
