import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cli, isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { Person } from "./mcp-clients.js"
import { eras, httpClient, textOf, told } from "./mcp-clients.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const approves: Person = () => ({ action: "accept", content: { approved: true } })

const slow = {
  rootAgentId: "slow",
  agents: [
    { type: "LlmAgent", id: "slow", httpConfig: { url: "http://llm.test/slow", method: "POST" } },
  ],
}
const facts = {
  dialect: "adk",
  name: "facts",
  description: "Tells facts about a city.",
  model: "any",
  instruction: "Tell.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}

describe.skipIf(!isBuilt)("serve --mcp with the official client", () => {
  let place: string
  let server: TestServer

  const write = (name: string, workflow: object, llm: object): void => {
    mkdirSync(join(place, "work", name), { recursive: true })
    writeFileSync(join(place, "work", name, "workflow.json"), JSON.stringify(workflow))
    writeFileSync(join(place, "work", name, "scenario.json"), JSON.stringify({ llm }))
  }

  const serve = (start = startTestServer): Promise<TestServer> =>
    start(join(place, "work"), join(place, "runs"), [
      "--mcp",
      "--scripted",
      "--token",
      "test-token",
      "--max-body",
      "20000",
      "--max-open-runs",
      "50",
    ])

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "serve-mcp-"))
    for (const name of ["human-approval", "content-loop"])
      cpSync(join(projectFolder, "examples", name), join(place, "work", name), { recursive: true })
    write("slow", slow, { slow: [{ delayMs: 600_000, content: "Too late." }] })
    write("desk/facts", facts, { facts: [{ content: "Old." }] })
    server = await serve(startServerProcess)
  })

  afterAll(async () => {
    await server.stop()
    rmSync(place, { recursive: true })
  })

  const statusOf = async (runId: string): Promise<unknown> =>
    (await server.ask(`/v1/runs/${runId}`)).body["status"]

  const newestRun = async (): Promise<{ readonly runId: string; readonly status: string }> => {
    const { runs } = (await server.ask("/v1/runs?limit=1")).body as unknown as {
      readonly runs: readonly { readonly runId: string; readonly status: string }[]
    }
    return runs[0] ?? { runId: "", status: "" }
  }

  /** Polls a condition, because the server does not notify the test. */
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  test.each(eras)(
    "the list of tools contains each workflow and the tool answer_run (%s)",
    async (era) => {
      const { tools } = await (await httpClient(server.origin, { era })).listTools()
      expect(tools.map(({ name, description }) => [name, description?.slice(0, 29)])).toEqual([
        ["content-loop", expect.any(String)],
        ["desk_facts", "Tells facts about a city."],
        ["human-approval", "An agent that pays invoices, "],
        ["slow", "The workflow slow with the ag"],
        ["answer_run", expect.any(String)],
      ])
      expect(tools[1]?.inputSchema).toEqual(facts.inputSchema)
      expect(tools[2]?.inputSchema).toMatchObject({
        properties: { prompt: { type: "string" }, state: { type: "object" } },
        required: [],
      })
      expect(tools[3]?.inputSchema.required).toEqual(["prompt"])
    },
  )

  test.each(eras)(
    "a client without forms answers the requests of a run with the tool answer_run (%s)",
    async (era) => {
      const client = await httpClient(server.origin, { era })
      const asked = await client.callTool({
        name: "human-approval",
        arguments: { prompt: "Pay what we owe." },
      })
      const { runId, status, pending = [] } = told(asked)
      expect({ status, pending }).toMatchObject({
        status: "waiting",
        pending: [{ kind: "approval", prompt: expect.stringContaining("1,940") }],
      })
      expect(textOf(asked)).toContain(
        `The run ${runId} waits for an answer. To continue, call the tool answer_run.`,
      )
      const second = await client.callTool({
        name: "answer_run",
        arguments: {
          runId,
          approved: true,
          args: { invoice: "INV-2291", amount: 1840, iban: "DE02" },
        },
      })
      expect(told(second)).toMatchObject({
        runId,
        status: "waiting",
        pending: [{ prompt: expect.stringContaining("2,760") }],
      })
      const done = await client.callTool({
        name: "answer_run",
        arguments: {
          runId,
          request: told(second).pending?.[0]?.id,
          approved: false,
          reason: "Call them first.",
        },
      })
      expect(told(done)).toMatchObject({
        runId,
        status: "completed",
        state: { payment_report: expect.stringContaining("Not paid") },
      })
      expect(textOf(done)).toBe(told(done).text)
    },
  )

  test("a client with forms receives each request as a form, and declining a form rejects the call", async () => {
    const forms: string[] = []
    const client = await httpClient(server.origin, {
      person: ({ message }) => {
        forms.push(message)
        return forms.length === 1
          ? { action: "accept", content: { approved: true } }
          : { action: "decline" }
      },
    })
    const done = await client.callTool({ name: "human-approval", arguments: {} })
    expect(told(done)).toMatchObject({
      status: "completed",
      text: expect.stringContaining("Not paid"),
    })
    expect(forms).toEqual([
      expect.stringMatching(/1,940.*\npay_invoice \{"invoice":"INV-2291"/),
      expect.stringContaining("2,760"),
    ])
  })

  test("a person can edit the arguments of a call in the form", async () => {
    const forms: unknown[] = []
    const client = await httpClient(server.origin, {
      person: ({ requestedSchema }) => {
        forms.push(requestedSchema.properties["arguments"])
        const edited = { invoice: "INV-2291", amount: 1840, iban: "DE02" }
        return {
          action: "accept",
          content:
            forms.length === 1
              ? { approved: true, arguments: JSON.stringify(edited) }
              : { approved: false, reason: "Call them first." },
        }
      },
    })
    const { runId } = told(await client.callTool({ name: "human-approval", arguments: {} }))
    expect(forms).toMatchObject([
      { type: "string", default: expect.stringContaining('"INV-2291"') },
      { type: "string" },
    ])
    const events = await server.events(runId, ({ type }) => type === "run.finished")
    const paid = events.filter(({ type }) => type === "tool.called")
    expect(JSON.stringify(paid)).toContain('"amount":1840')
  })

  test("edited arguments that are not a JSON object are rejected", async () => {
    const client = await httpClient(server.origin, {
      person: () => ({ action: "accept", content: { approved: true, arguments: "1840" } }),
    })
    const refused = await client.callTool({ name: "human-approval", arguments: {} })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain("not a JSON object")
  })

  test("a request stays pending if the person cancels its form", async () => {
    const client = await httpClient(server.origin, { person: () => ({ action: "cancel" }) })
    const { runId, status } = told(await client.callTool({ name: "human-approval", arguments: {} }))
    expect(status).toBe("waiting")
    expect(await statusOf(runId)).toBe("waiting")
  })

  test("a waiting run can be answered, also in a form, after the server was killed", async () => {
    const client = await httpClient(server.origin)
    const { runId } = told(await client.callTool({ name: "human-approval", arguments: {} }))
    await server.stop("SIGKILL")
    server = await serve()
    const again = await httpClient(server.origin, { person: approves })
    const done = await again.callTool({ name: "answer_run", arguments: { runId, approved: true } })
    expect(told(done)).toMatchObject({ runId, status: "completed" })
  })

  test.each(eras)(
    "the server sends progress notifications to a client that requests them (%s)",
    async (era) => {
      const client = await httpClient(server.origin, { era })
      const progress: { readonly progress: number; readonly message?: string | undefined }[] = []
      await client.callTool(
        { name: "content-loop", arguments: { prompt: "Write about the harbour." } },
        { onprogress: (one) => progress.push(one) },
      )
      expect(progress.map(({ message }) => message)).toContain("Agent writer_agent started")
      const numbers = progress.map((one) => one.progress)
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
    },
  )

  test("a request that is cancelled cancels its run", async () => {
    const client = await httpClient(server.origin)
    const cancelling = new AbortController()
    const called = expect(
      client.callTool(
        { name: "slow", arguments: { prompt: "Go." } },
        { signal: cancelling.signal },
      ),
    ).rejects.toThrow()
    await until(async () => (await newestRun()).status === "running")
    cancelling.abort()
    await called
    await until(async () => (await newestRun()).status === "cancelled")
  })

  test("the run of a legacy client continues after a disconnect, because the client may reconnect", async () => {
    const client = await httpClient(server.origin, { era: "legacy" })
    const called = expect(
      client.callTool({ name: "slow", arguments: { prompt: "Go." } }),
    ).rejects.toThrow()
    await until(async () => (await newestRun()).status === "running")
    const { runId } = await newestRun()
    await client.close()
    await called
    // A server that cancelled the run would do so before it answers these requests.
    for (let request = 0; request < 20; request++) await server.ask("/v1/runs")
    expect(await statusOf(runId)).toBe("running")
    await server.ask(`/v1/runs/${runId}/cancel`, { method: "POST", body: {} })
  })

  test("a repeated call with the same idempotency key returns the same run", async () => {
    const client = await httpClient(server.origin)
    const call = () =>
      client.callTool({
        name: "human-approval",
        arguments: {},
        _meta: { "agent-statecharts/idempotency-key": "r-1/clerk#2" },
      })
    const first = told(await call())
    expect(told(await call()).runId).toBe(first.runId)
    await client.callTool({ name: "answer_run", arguments: { runId: first.runId, approved: true } })
    await client.callTool({
      name: "answer_run",
      arguments: { runId: first.runId, approved: false },
    })
    expect(told(await call())).toMatchObject({ runId: first.runId, status: "completed" })
  })

  test("arguments that match the input schema of a workflow are its message, and others are rejected", async () => {
    const client = await httpClient(server.origin)
    const done = await client.callTool({ name: "desk_facts", arguments: { city: "Rome" } })
    expect(textOf(done)).toContain("Old.")
    const refused = await client.callTool({ name: "desk_facts", arguments: { town: "Rome" } })
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", error: { code: "schema_violated" } },
    })
  })

  test.each([
    ["human-approval", { promt: "Pay." }, /input_refused/],
    ["slow", {}, /prompt is missing/],
    ["answer_run", { runId: "none", approved: true }, /run_unknown/],
    ["answer_run", {}, /input_refused/],
  ])("invalid arguments of a tool are rejected with the reason: %s %j", async (name, args, why) => {
    const refused = await (await httpClient(server.origin)).callTool({ name, arguments: args })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toMatch(why)
  })

  test("an answer that matches no pending request does not change the run", async () => {
    const client = await httpClient(server.origin)
    const { runId } = told(await client.callTool({ name: "human-approval", arguments: {} }))
    for (const [answer, why] of [
      [{ answer: "yes" }, /pass approved/],
      [{ request: "other", approved: true }, /request_unknown.*payments_agent/],
    ] as const) {
      expect(
        textOf(await client.callTool({ name: "answer_run", arguments: { runId, ...answer } })),
      ).toMatch(why)
    }
    expect(await statusOf(runId)).toBe("waiting")
  })

  test("a request without the token, with an unknown tool, or above a limit is rejected", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    }
    expect((await fetch(`${server.origin}/mcp`, { method: "POST", headers, body })).status).toBe(
      401,
    )
    expect(
      (
        await fetch(`${server.origin}/mcp`, {
          method: "POST",
          headers: {
            ...headers,
            authorization: "Bearer test-token",
            origin: "https://elsewhere.example",
          },
          body,
        })
      ).status,
    ).toBe(403)
    const client = await httpClient(server.origin)
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toThrow(
      'the tool "none" does not exist; list the tools with tools/list',
    )
    await expect(
      client.callTool({ name: "slow", arguments: { prompt: "x".repeat(30_000) } }),
    ).rejects.toMatchObject({ status: 413 })
  })
})

describe.skipIf(!isBuilt)("serve without --mcp", () => {
  test("serve without --mcp has no route for MCP", async () => {
    const place = mkdtempSync(join(tmpdir(), "serve-mcp-"))
    const server = await startTestServer(
      join(projectFolder, "examples", "human-approval"),
      join(place, "runs"),
    )
    expect((await server.ask("/mcp", { method: "POST", body: {} })).status).toBe(404)
    await server.stop()
    rmSync(place, { recursive: true })
  })

  test.each([
    [["serve", "examples", "--mcp"], "--mcp requires a package"],
    [["mcp", "examples"], "this command requires a package"],
  ])(
    "a missing MCP package is reported with the command that installs it: %j",
    async (args, words) => {
      const hooks = `export const resolve = (asked, context, next) => { if (asked.startsWith("@modelcontextprotocol/server")) throw Object.assign(new Error("not here"), { code: "ERR_MODULE_NOT_FOUND" }); return next(asked, context) }`
      const setup = `import { register } from "node:module"; register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}))`
      const { code, stderr } = await cli(args, {
        env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setup)}` },
      })
      expect(stderr).toContain(
        `${words} that is not installed. Install it with: npm install @modelcontextprotocol/server`,
      )
      expect(code).toBe(2)
    },
  )
})
