import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { specTypeSchemas } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { mcpToolset } from "../../src/adapters/tool/mcp/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { isBuilt, main } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { calls, chartOf, scriptedModel, toldByTools } from "../support/in-both-interpreters.js"
import { httpClient, stdioClient, told } from "./mcp-clients.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const slow = {
  rootAgentId: "slow",
  agents: [
    { type: "LlmAgent", id: "slow", httpConfig: { url: "http://llm.test/slow", method: "POST" } },
  ],
}

const clerk = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "Go.",
  agents: [
    { type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["others"] },
  ],
  globalTools: [{ type: "Toolset", id: "others" }],
})

const extension = { extensions: { "io.modelcontextprotocol/tasks": {} } }

describe.skipIf(!isBuilt)("workflows as MCP tasks", { timeout: 180_000 }, () => {
  let place: string
  let server: TestServer

  const serve = (port = "0", start = startTestServer): Promise<TestServer> =>
    start(join(place, "work"), join(place, "runs"), [
      "--mcp",
      "--scripted",
      "--resume",
      "--token",
      "test-token",
      "--port",
      port,
    ])

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "mcp-tasks-"))
    cpSync(join(projectFolder, "examples/human-approval"), join(place, "work/human-approval"), {
      recursive: true,
    })
    mkdirSync(join(place, "work/slow"), { recursive: true })
    writeFileSync(join(place, "work/slow/workflow.json"), JSON.stringify(slow))
    const llm = { slow: [{ delayMs: 600_000, content: "Too late." }] }
    writeFileSync(join(place, "work/slow/scenario.json"), JSON.stringify({ llm }))
    server = await serve("0", startServerProcess)
  })

  afterAll(async () => {
    await server.stop()
    rmSync(place, { recursive: true })
  })

  const statusOf = async (runId: string): Promise<unknown> =>
    (await server.ask(`/v1/runs/${runId}`)).body["status"]

  const runIds = async (): Promise<readonly string[]> => {
    const { runs } = (await server.ask("/v1/runs")).body as unknown as {
      readonly runs: readonly { readonly runId: string }[]
    }
    return runs.map(({ runId }) => runId)
  }

  /** Sends a request of the protocol version 2026-07-28. */
  const send = async (method: string, params: object, capabilities: object = extension) => {
    const version = "2026-07-28"
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    const named = params as { readonly name?: string; readonly taskId?: string }
    const response = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: {
        authorization: "Bearer test-token",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": method,
        "mcp-name": named.taskId ?? named.name ?? "",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    })
    const text = await response.text()
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
    return JSON.parse(json) as {
      readonly result?: Readonly<Record<string, unknown>>
      readonly error?: { readonly code: number; readonly message: string }
    }
  }

  test("another process answers the requests of a task, although the server is killed in between", async () => {
    const others = mcpToolset(
      { url: `${server.origin}/mcp`, headers: { authorization: "Bearer test-token" } },
      { waitMs: 120_000, listTimeoutMs: 60_000 },
    )
    onTestFinished(() => others.close())
    const { asked, models } = scriptedModel({
      clerk: [calls("human-approval", { prompt: "Pay." }), { content: "done" }],
    })
    const before = await runIds()
    const run = createRunner({ models, services: { others } }).start(clerk)
    await run.whenSettled()
    const [first] = run.pending()
    expect(first).toMatchObject({ kind: "human", prompt: expect.stringContaining("1,940") })

    const { port } = new URL(server.origin)
    await server.stop("SIGKILL")
    server = await serve(port)
    run.answer(first?.id ?? "", { approved: true })
    await run.whenSettled()
    const [second] = run.pending()
    expect(second).toMatchObject({ kind: "human", prompt: expect.stringContaining("2,760") })
    run.answer(second?.id ?? "", "decline")
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    const [created] = (await runIds()).filter((id) => !before.includes(id))
    expect(toldByTools(asked)).toMatchObject({
      runId: created,
      status: "completed",
      text: expect.stringContaining("Not paid"),
    })
  })

  test("a stdio server that is killed during a task continues the same task after its restart", async () => {
    const { asked, models } = scriptedModel({
      clerk: [calls("report", { prompt: "How is it?" }), { content: "done" }],
    })
    const folder = join(place, "report")
    mkdirSync(folder)
    writeFileSync(
      join(folder, "workflow.json"),
      JSON.stringify({
        ...slow,
        rootAgentId: "report",
        agents: [{ ...slow.agents[0], id: "report" }],
      }),
    )
    const llm = { report: [{ delayMs: 1_000, content: "All is well.", exitFlow: true }] }
    writeFileSync(join(folder, "scenario.json"), JSON.stringify({ llm }))
    const journal = join(place, "report-runs")
    const pidFile = join(place, "pid")
    const started = `echo $$ >> ${pidFile}; exec ${process.execPath} ${main} mcp ${folder} --scripted --journal ${journal}`
    const others = mcpToolset(
      { command: "sh", args: ["-c", started] },
      { waitMs: 120_000, connectTimeoutMs: 120_000, listTimeoutMs: 120_000 },
    )
    onTestFinished(() => others.close())
    const pids = (): readonly number[] =>
      readFileSync(pidFile, "utf8").trim().split("\n").map(Number)
    const run = createRunner({ models, services: { others } }).start(clerk)
    await new Promise<void>((resolve) => {
      run.events$.subscribe((event) => {
        if (event.type === "host.emitted") resolve()
      })
    })
    process.kill(pids()[0] ?? 0, "SIGKILL")
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    expect(pids()).toHaveLength(2)
    const stored = readdirSync(journal).filter((file) => file.endsWith(".jsonl"))
    expect(stored).toHaveLength(1)
    expect(toldByTools(asked)).toMatchObject({ status: "completed", text: "All is well." })
  })

  test("a cancelled run cancels its task, and with it the run of the other server", async () => {
    const others = mcpToolset({
      url: `${server.origin}/mcp`,
      headers: { authorization: "Bearer test-token" },
    })
    const { models } = scriptedModel({ clerk: [calls("slow", { prompt: "Go." })] })
    const before = await runIds()
    const run = createRunner({ models, services: { others } }).start(clerk)
    const created = async () => (await runIds()).find((id) => !before.includes(id)) ?? ""
    await expect.poll(created, { timeout: 120_000 }).not.toBe("")
    // The event arrives as soon as the task is created.
    await new Promise<void>((resolve) => {
      run.events$.subscribe((event) => {
        if (event.type === "host.emitted") resolve()
      })
    })
    run.cancel()
    await run.result
    await others.close()
    expect(await statusOf(await created())).toBe("cancelled")
  })

  test("a task is created, read and cancelled by its id", async () => {
    const { result } = await send("tools/call", { name: "slow", arguments: { prompt: "Go." } })
    const taskId = String(result?.["taskId"])
    expect(result).toMatchObject({
      resultType: "task",
      status: "working",
      ttlMs: null,
      pollIntervalMs: 500,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await statusOf(taskId)).toBe("running")
    expect((await send("tasks/get", { taskId })).result).toMatchObject({
      resultType: "complete",
      taskId,
      status: "working",
      statusMessage: "Agent slow started",
    })
    const cancelled = await send("tasks/cancel", { taskId })
    expect(cancelled.result).toMatchObject({ resultType: "complete" })
    expect((await send("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" })
    expect(await statusOf(taskId)).toBe("cancelled")
  })

  test("a client without forms receives a completed task that describes the pending requests", async () => {
    const { result } = await send("tools/call", { name: "human-approval", arguments: {} })
    const taskId = String(result?.["taskId"])
    await expect.poll(() => statusOf(taskId), { timeout: 120_000 }).toBe("waiting")
    expect((await send("tasks/get", { taskId })).result).toMatchObject({
      status: "completed",
      result: {
        resultType: "complete",
        structuredContent: { runId: taskId, status: "waiting", pending: [{}] },
      },
    })
    const forms = { ...extension, elicitation: { form: {} } }
    const asked = await send("tasks/get", { taskId }, forms)
    expect(asked.result).toMatchObject({ status: "input_required" })
    const [key] = Object.keys(asked.result?.["inputRequests"] ?? {})
    const inputResponses = { none: { action: "cancel" }, [key ?? ""]: { action: "decline" } }
    expect((await send("tasks/update", { taskId, inputResponses }, forms)).result).toBeDefined()
    const requests = async () => {
      const state = await send("tasks/get", { taskId }, forms)
      return Object.keys(state.result?.["inputRequests"] ?? {})
    }
    await expect
      .poll(requests, { timeout: 120_000 })
      .toEqual([expect.not.stringMatching(key ?? "")])
    // An answer that arrives too late is ignored.
    expect((await send("tasks/update", { taskId, inputResponses }, forms)).error).toBeUndefined()
    expect(await requests()).toHaveLength(1)
  })

  test.each([
    ["tasks/get", { taskId: "none" }, extension, -32602, /"none"/],
    ["tasks/cancel", { taskId: "none" }, extension, -32602, /"none"/],
    ["tasks/update", { taskId: "none", inputResponses: {} }, extension, -32602, /"none"/],
    ["tasks/get", { taskId: "none" }, {}, -32021, /capabilit/i],
    ["tasks/list", {}, extension, -32601, /not found/i],
  ])(
    "the server rejects %s %j of a client with the capabilities %j",
    async (method, params, capabilities, code, message) => {
      const { error } = await send(method, params, capabilities)
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    },
  )

  test("a client without support for tasks receives the result directly", async () => {
    const { result } = await send("tools/call", { name: "human-approval", arguments: {} }, {})
    expect(result).toMatchObject({
      resultType: "complete",
      structuredContent: { status: "waiting" },
    })
  })

  const { CreateTaskResult, GetTaskResult, ListTasksResult, CallToolResult } = specTypeSchemas

  const createdBy = async (client: Client, name: string, prompt: string) => {
    const params = { name, arguments: { prompt }, task: {} }
    const { task } = await client.request({ method: "tools/call", params }, CreateTaskResult)
    return task
  }

  test("tasks can be created, read, listed and cancelled with the 2025 version of the protocol", async () => {
    const client = await httpClient(server.origin, { era: "legacy" })
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, execution }) => [name, execution?.taskSupport])).toEqual([
      ["human-approval", "optional"],
      ["slow", "optional"],
      ["answer_run", undefined],
    ])
    const { taskId, ...task } = await createdBy(client, "slow", "Go.")
    expect(task).toMatchObject({ status: "working", ttl: null, pollInterval: 500 })
    const params = { taskId }
    expect(await client.request({ method: "tasks/get", params }, GetTaskResult)).toMatchObject({
      status: "working",
    })
    const { tasks } = await client.request({ method: "tasks/list", params: {} }, ListTasksResult)
    expect(tasks).toContainEqual(expect.objectContaining({ taskId, status: "working" }))
    const ended = expect(
      client.request({ method: "tasks/result", params }, CallToolResult),
    ).rejects.toThrow(/cancelled/)
    expect(await client.request({ method: "tasks/cancel", params }, GetTaskResult)).toMatchObject({
      taskId,
      status: "cancelled",
    })
    await ended
  })

  test("with the 2025 version, a client receives the forms of a task while it waits for the result", async () => {
    const forms: unknown[] = []
    const work = join(place, "work")
    const args = [work, "--journal", join(place, "stdio-runs"), "--scripted"]
    const { client } = await stdioClient(args, {
      era: "legacy",
      person: ({ message, _meta }) => {
        forms.push([message, _meta?.["io.modelcontextprotocol/related-task"]])
        return forms.length === 1
          ? { action: "accept", content: { approved: true } }
          : { action: "decline" }
      },
    })
    const { taskId } = await createdBy(client, "human-approval", "Pay.")
    const params = { taskId }
    const result = await client.request({ method: "tasks/result", params }, CallToolResult, {
      timeout: 120_000,
    })
    expect(told(result)).toMatchObject({
      runId: taskId,
      status: "completed",
      text: expect.stringContaining("Not paid"),
    })
    expect(result._meta).toMatchObject({ "io.modelcontextprotocol/related-task": { taskId } })
    expect(forms).toEqual([
      [expect.stringContaining("1,940"), { taskId }],
      [expect.stringContaining("2,760"), { taskId }],
    ])
    expect(await client.request({ method: "tasks/get", params }, GetTaskResult)).toMatchObject({
      status: "completed",
    })
  })
})
