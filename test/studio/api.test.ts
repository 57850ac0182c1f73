import { spawn } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type {
  CompiledText,
  RunWithChart,
  RunEvent,
  StudioFile,
  StudioSnapshot,
  StudioRun,
} from "../../src/studio/api.js"
import type { EditResult } from "../../src/studio/edit-api.js"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { TestStudio } from "./test-studio.js"
import { startStudioProcess, startTestStudio } from "./test-studio.js"

const examples = join(projectFolder, "examples")

describe.skipIf(!isBuilt)("the studio's server", () => {
  let place: string
  let studio: TestStudio

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "studio-"))
    for (const name of ["human-approval", "content-loop", "newsletter"])
      cpSync(join(examples, name), join(place, "work", name), { recursive: true })
    writeFileSync(join(place, "secret.json"), '{"agents": [], "why": "outside"}')
    symlinkSync(join(place, "secret.json"), join(place, "work", "link.json"))
    mkdirSync(join(place, "work", "node_modules"))
    cpSync(
      join(examples, "content-loop", "workflow.json"),
      join(place, "work", "node_modules", "workflow.json"),
    )
    studio = await startStudioProcess(join(place, "work"), join(place, "runs"))
  })

  afterAll(async () => {
    expect(await studio.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  test("a run and its child run contain a link to each other, and an answer to the child continues both", async () => {
    const runId = await started("newsletter/workflow.json")
    const child = `${runId}/newsletter/research#0`
    const at = (id: string): string => `/runs/${encodeURIComponent(id)}`
    await expect
      .poll(async () => ((await studio.ask(at(runId))).body as RunWithChart).status)
      .toBe("waiting")
    const caller = (await studio.ask(at(runId))).body as RunWithChart
    expect(caller).toMatchObject({ caller: null, pending: [{ child: { runId: child } }] })
    const inner = (await studio.ask(at(child))).body as RunWithChart
    expect(inner).toMatchObject({
      chart: "research_steps",
      status: "waiting",
      caller: { runId, path: "newsletter/research" },
    })
    const { status } = await studio.ask(`${at(child)}/messages`, {
      method: "POST",
      body: { type: "answer", id: inner.pending[0]?.id, value: "correct" },
    })
    expect(status).toBeLessThan(300)
    await expect
      .poll(async () => ((await studio.ask(at(runId))).body as RunWithChart).status)
      .toBe("completed")
  })

  test("an edit returns a changed text without writing the file, and a compiled chart is rejected", async () => {
    const file = "content-loop/workflow.json"
    const command = { kind: "renameAgent", from: "writer_agent", to: "author" }
    const edited = async (name: string) =>
      (
        await studio.ask("/edit", {
          method: "POST",
          body: { file: name, text: text(name), command },
        })
      ).body as EditResult
    const before = text(file)
    const result = await edited(file)
    expect(result).toMatchObject({ refused: null, agent: "author", newErrors: [] })
    expect(result.refused === null && result.text).toContain('"id": "author"')
    expect(text(file)).toBe(before)
    expect(await edited("content-loop/chart.json")).toMatchObject({
      refused: { code: "config_invalid", message: "This file is a compiled chart." },
    })
  })

  const text = (file: string): string => readFileSync(join(place, "work", file), "utf8")

  const started = async (file: string, more: object = {}): Promise<string> => {
    const { status, body } = await studio.ask("/runs", {
      method: "POST",
      body: { file, text: text(file), scripted: true, ...more },
    })
    expect(status).toBe(201)
    return (body as { readonly runId: string }).runId
  }

  /** Returns the events up to the first event of a type. */
  async function eventsUntil(
    runId: string,
    type: RunEvent["type"],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly RunEvent[]> {
    const controller = new AbortController()
    const response = await fetch(`${studio.origin}/api/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${studio.token}`, ...headers },
      signal: controller.signal,
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const events: RunEvent[] = []
    let rest = ""
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      rest += Buffer.from(read.value).toString()
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const data = /^data: ?(.+)$/m.exec(rest.slice(0, end))?.[1]
        rest = rest.slice(end + 2)
        if (data !== undefined) events.push(JSON.parse(data) as RunEvent)
        if (events.at(-1)?.type === type) {
          controller.abort()
          return events
        }
      }
    }
    throw new Error(
      `the stream ended without ${type}: ${events.map((event) => event.type).join(", ")}`,
    )
  }

  /** Approves every request until the run has ended. */
  async function approveAll(runId: string): Promise<void> {
    const over = eventsUntil(runId, "run.finished")
    let isOver = false
    void over.then(() => (isOver = true))
    while (!isOver) {
      const { pending } = (await studio.ask(`/runs/${runId}`)).body as RunWithChart
      const [request] = pending
      // Only this function answers. A request that was just answered may still be listed.
      if (request !== undefined)
        await studio.ask(`/runs/${runId}/messages`, {
          method: "POST",
          body: { type: "approve", id: request.id },
        })
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await over
  }

  test("the list contains the workflows of the folder, without node_modules and links to other folders", async () => {
    const { body } = await studio.ask("/files")
    expect((body as readonly StudioFile[]).map(({ path }) => path)).toEqual([
      "content-loop/workflow.json",
      "human-approval/workflow.json",
      "newsletter/research.json",
      "newsletter/workflow.json",
    ])
  })

  test.each([
    ["../secret.json"],
    ["link.json"],
    ["/etc/passwd"],
    ["human-approval"],
    ["human-approval/../../secret.json"],
    ["nothing.json"],
  ])("the file routes neither read nor write %s", async (path) => {
    expect(await studio.ask(`/file?path=${encodeURIComponent(path)}`)).toMatchObject({
      status: 404,
      body: { code: "missing_file" },
    })
    expect(
      await studio.ask("/file", { method: "PUT", body: { file: path, text: "{}" } }),
    ).toMatchObject({ status: 404 })
    expect(readFileSync(join(place, "secret.json"), "utf8")).toContain("outside")
  })

  test("the API accepts its token only in a header, not in a URL", async () => {
    const ask = async (query: string, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${studio.origin}/api/files${query}`, { headers })).status
    expect(await ask("", {})).toBe(401)
    expect(await ask("?token=guess", {})).toBe(401)
    expect(await ask("", { authorization: "Bearer guess" })).toBe(401)
    expect(await ask(`?token=${studio.token}`, {})).toBe(401)
    expect(await ask("", { authorization: `Bearer ${studio.token}` })).toBe(200)
    const events = `${studio.origin}/api/runs/none/events?token=${studio.token}`
    expect((await fetch(events)).status).toBe(401)
  })

  test("requests with another host name or from another origin are rejected", async () => {
    const status = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(studio.origin)
        request(
          {
            hostname,
            port,
            path: "/api/files",
            headers: { authorization: `Bearer ${studio.token}`, ...headers },
          },
          (response) => (response.resume(), resolve(response.statusCode)),
        )
          .on("error", reject)
          .end()
      })
    expect(await status({ host: "evil.example" })).toBe(403)
    expect(await status({ host: "127.0.0.1.evil.example:80" })).toBe(403)
    expect(await status({ origin: "https://evil.example" })).toBe(403)
    expect(await status({ host: `localhost:${new URL(studio.origin).port}` })).toBe(200)
  })

  test("the content security policy of the page forbids other hosts and inline scripts", async () => {
    const response = await fetch(studio.origin)
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc=)/)
  })

  test("invalid requests are rejected with the reason", async () => {
    const refused = async (path: string, body: unknown): Promise<unknown> =>
      (await studio.ask(path, { method: "POST", body })).body
    expect(await refused("/runs", "{")).toEqual({
      code: "input_refused",
      message: "the body of the request must be JSON",
    })
    expect(await refused("/runs", { file: 1 })).toMatchObject({
      code: "input_refused",
      message: expect.stringContaining("file"),
    })
    expect(
      await refused("/runs", { file: "content-loop/workflow.json", text: "{}" }),
    ).toMatchObject({
      code: "config_invalid",
      diagnostics: [expect.objectContaining({ severity: "error" })],
    })
    expect(await refused("/runs/none/messages", { type: "cancel" })).toMatchObject({
      code: "run_unknown",
    })
    expect(
      await studio.ask("/check", {
        method: "POST",
        body: { file: "content-loop/workflow.json", text: "x".repeat(5_000_000) },
      }),
    ).toMatchObject({ status: 413 })
    expect(await studio.ask("/nothing")).toMatchObject({
      status: 404,
      body: { code: "unknown_route" },
    })
  })

  test("a check returns the drawing of a text or its problems with their lines, and a text can be saved", async () => {
    const file = "content-loop/workflow.json"
    const broken = text(file).replace('"agentId": "reviewer_agent"', '"agentId": "reviewer"')
    const { body } = await studio.ask("/check", { method: "POST", body: { file, text: broken } })
    expect(body).toMatchObject({
      svg: null,
      diagnostics: [
        expect.objectContaining({ code: expect.any(String), line: expect.any(Number) }),
      ],
    })
    const whole = await studio.ask("/check", { method: "POST", body: { file, text: text(file) } })
    expect((whole.body as { readonly svg: string }).svg).toContain("data-agents=")
    const edited = `${text(file)}\n`
    expect(
      await studio.ask("/file", { method: "PUT", body: { file, text: edited } }),
    ).toMatchObject({ status: 200 })
    expect(text(file)).toBe(edited)
  })

  test("a workflow that starts a process is valid only with --allow-processes", async () => {
    const config = JSON.stringify({
      name: "clerk",
      model: "m",
      instruction: "Help.",
      tools: [
        {
          name: "McpToolset",
          args: { stdio_server_params: { command: "node", args: ["server.mjs"] } },
        },
      ],
    })
    const problems = async (asked: TestStudio): Promise<readonly string[]> => {
      const { body } = await asked.ask("/check", {
        method: "POST",
        body: { file: "content-loop/workflow.json", text: config },
      })
      return (body as CompiledText).diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message)
    }
    expect(await problems(studio)).toEqual([expect.stringMatching(/not allowed by default/)])
    const allowing = await startTestStudio(join(place, "work"), join(place, "runs"), [
      "--allow-processes",
    ])
    expect(await problems(allowing)).toEqual([])
    await allowing.stop()
  })

  test("the event stream of a run continues after the last received event", async () => {
    const runId = await started("content-loop/workflow.json")
    const events = await eventsUntil(runId, "run.finished")
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(await eventsUntil(runId, "run.finished", { "last-event-id": "4" })).toEqual(
      events.slice(5),
    )
    const { body } = await studio.ask(`/runs/${runId}`)
    expect(body as RunWithChart).toMatchObject({
      status: "completed",
      file: "content-loop/workflow.json",
      isHere: false,
    })
  })

  test("the API answers the requests of a run, returns an earlier state, and forks the run", async () => {
    const runId = await started("human-approval/workflow.json")
    const asked = (await eventsUntil(runId, "human.asked")).at(-1)
    const id = asked?.type === "human.asked" ? asked.request.id : ""
    expect(
      await studio.ask(`/runs/${runId}/messages`, {
        method: "POST",
        body: { type: "approve", id: "other" },
      }),
    ).toMatchObject({ status: 409, body: { code: "request_unknown" } })
    expect(
      await studio.ask(`/runs/${runId}/messages`, { method: "POST", body: { type: "shout" } }),
    ).toMatchObject({ status: 400, body: { code: "input_refused" } })
    expect(
      await studio.ask(`/runs/${runId}/messages`, {
        method: "POST",
        body: { type: "approve", id },
      }),
    ).toMatchObject({ status: 200 })
    await approveAll(runId)
    const past = (await studio.ask(`/runs/${runId}/at?at=1`)).body as StudioSnapshot
    expect(past).toMatchObject({ at: 1, inFlight: [expect.anything()] })
    const asOf = (await studio.ask(`/runs/${runId}/at?seen=${past.seen}`)).body as StudioSnapshot
    expect(asOf.at).toBe(1)
    const { status, body } = await studio.ask(`/runs/${runId}/fork`, {
      method: "POST",
      body: { at: 2, state: { mood: "careful" } },
    })
    expect(status).toBe(201)
    const forked = (body as { readonly runId: string }).runId
    await eventsUntil(forked, "human.asked")
    expect((await studio.ask(`/runs/${forked}`)).body).toMatchObject({
      forkedFrom: { runId, at: 2 },
      status: "waiting",
    })
    expect(
      await studio.ask(`/runs/${forked}/messages`, { method: "POST", body: { type: "cancel" } }),
    ).toMatchObject({ status: 200 })
    await eventsUntil(forked, "run.finished")
  })

  test("the studio lists runs of other processes, and continues them when a request is answered", async () => {
    const command = [
      "run",
      join(place, "work", "human-approval", "workflow.json"),
      "--scripted",
      join(place, "work", "human-approval", "scenario.json"),
      "--journal",
      join(place, "runs"),
      "--run-id",
      "elsewhere",
      "--quiet",
    ]
    // The test waits without blocking, so that fetch notices connections that the studio closes meanwhile.
    const child = spawn(process.execPath, [join(projectFolder, "dist/cli/main.js"), ...command])
    expect(await new Promise((resolve) => void child.once("close", resolve))).toBe(3)
    const run = ((await studio.ask("/runs")).body as readonly StudioRun[]).find(
      ({ runId }) => runId === "elsewhere",
    )
    expect(run).toMatchObject({ status: "waiting", isHere: false, pending: [{ kind: "approval" }] })
    const ends = eventsUntil("elsewhere", "run.finished")
    await approveAll("elsewhere")
    expect((await ends).at(-1)).toMatchObject({ result: { status: "completed" } })
  })
})
