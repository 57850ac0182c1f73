import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, test } from "vitest"
import type { McpToolsetOptions } from "../../../src/adapters/tool/mcp/index.js"
import { mcpToolset } from "../../../src/adapters/tool/mcp/index.js"
import { memoryJournal } from "../../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../../src/runtime/journal/journal.js"
import type { RunControls } from "../../../src/runtime/run/run-controls.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../../support/in-both-interpreters.js"

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const chart = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "Go.",
  agents: [{ type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["desk"] }],
  globalTools: [{ type: "Toolset", id: "desk" }],
})

const token = "tok-4f9a17c2e8"
const issuer = "https://login.test/"

/** A server that accepts one token. `isOpen` returns whether a request needs none. */
async function guardedServer(isOpen: (body: string) => boolean = () => false) {
  const refused: string[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "desk", version: "1" })
    server.registerTool("whoami", {}, () => ({
      content: [{ type: "text", text: `You have sent Bearer ${token}.` }],
    }))
    return server
  })
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const respond = async (request: Request): Promise<Response> => {
    const metadata = `${origin()}/.well-known/oauth-protected-resource/mcp`
    if (request.url === metadata)
      return Response.json({
        resource: `${origin()}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ["desk.read", "desk.write"],
      })
    const given = request.headers.get("authorization")
    if (given === `Bearer ${token}` || isOpen(await request.clone().text()))
      return handler.fetch(request)
    refused.push(given ?? "")
    const challenge = `Bearer resource_metadata="${metadata}"`
    return new Response("no", { status: 401, headers: { "www-authenticate": challenge } })
  }
  const server = createServer(getRequestListener(respond))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `${origin()}/mcp`
  const toolset = (options: McpToolsetOptions = {}) => {
    const limits = { timeoutMs: 60_000, listTimeoutMs: 60_000, connectTimeoutMs: 60_000 }
    const desk = mcpToolset({ url }, { ...limits, ...options })
    closing.push(() => desk.close())
    return { desk }
  }
  return { refused, toolset, url }
}

const model = () => scriptedModel({ clerk: [calls("whoami"), { content: "done" }] })

const vault = new Map([
  ["desk", token],
  ["old", "tok-expired"],
])
const secrets = { read: (name: string) => vault.get(name) }

const onlyRequest = (run: RunControls) => {
  const [request, ...others] = run.pending()
  if (request === undefined || others.length > 0)
    throw new Error(`${others.length} requests besides ${request?.id}`)
  return request
}

const withoutToken = { result: "You have sent [secret authorization]." }

describe("an MCP server that requires an authorization", { timeout: 120_000 }, () => {
  test.each(interpreters)(
    "opens a request for consent when its tools are listed (%s)",
    async (kind) => {
      const { refused, toolset, url } = await guardedServer()
      const { asked, models } = model()
      const { controls } = await play(kind, chart, { models, services: toolset({ secrets }) })
      const request = onlyRequest(controls)
      expect(request).toMatchObject({
        kind: "auth",
        agent: "clerk",
        prompt: `The MCP server ${url} asks for your consent at ${issuer}`,
        details: { auth: { url: issuer, scopes: ["desk.read", "desk.write"] } },
      })
      expect(() => controls.answer(request.id, token)).toThrow(/never its value/)
      controls.answer(request.id, { secret: "desk" })
      expect(await controls.result).toMatchObject({ status: "completed", text: "done" })
      expect(toldByTools(asked)).toEqual(withoutToken)
      expect(new Set(refused)).toEqual(new Set([""]))
    },
  )

  test("accepts the consent in another process, and the journal never contains the token", async () => {
    const { toolset } = await guardedServer()
    const { asked, models } = model()
    let stored: Record<string, StoredRun> = {}
    const begin = () => {
      const journal = memoryJournal(stored)
      const runner = createRunner({ models, services: toolset({ secrets }), journal })
      return { journal, runner }
    }
    const first = begin()
    await first.runner.start(chart, { runId: "r" }).whenSettled()
    await first.runner.close()
    stored = JSON.parse(JSON.stringify(first.journal.toJSON())) as Record<string, StoredRun>
    const next = begin()
    const run = await next.runner.resume("r")
    const events: unknown[] = []
    run.events$.subscribe((event) => void events.push(event))
    run.answer(onlyRequest(run).id, { secret: "desk" })
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual(withoutToken)
    expect(JSON.stringify([next.journal.toJSON(), events])).not.toContain(token)
  })

  test("opens a request if only the call needs a token, and again if the token is refused", async () => {
    const { refused, toolset } = await guardedServer((body) => !body.includes("tools/call"))
    const { asked, models } = model()
    const { controls } = await play("run", chart, { models, services: toolset({ secrets }) })
    const first = onlyRequest(controls)
    expect(first.kind).toBe("auth")
    controls.answer(first.id, { secret: "old" })
    await controls.whenSettled()
    const second = onlyRequest(controls)
    expect(second.id).not.toBe(first.id)
    controls.answer(second.id, { secret: "desk" })
    expect(await controls.result).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual(withoutToken)
    expect(refused).toContain("Bearer tok-expired")
  })

  test("receives the new value of a secret that has changed", async () => {
    const { toolset } = await guardedServer()
    const values = new Map([["mine", "tok-expired"]])
    const { models } = scriptedModel({
      clerk: [calls("whoami"), calls("whoami"), { content: "done" }],
    })
    const changing = { read: (name: string) => values.get(name) }
    const services = toolset({ secrets: changing })
    const run = createRunner({ models, services }).start(chart)
    await run.whenSettled()
    run.answer(onlyRequest(run).id, { secret: "mine" })
    await run.whenSettled()
    values.set("mine", token)
    run.answer(onlyRequest(run).id, { secret: "mine" })
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
  })

  test("fails the run if the toolset has no secrets", async () => {
    const { toolset } = await guardedServer()
    const run = createRunner({ models: model().models, services: toolset() }).start(chart)
    expect(await run.result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("requires an authorization (status 401)") },
    })
  })

  test("fails the run if the granted secret does not exist", async () => {
    const { toolset } = await guardedServer()
    const run = createRunner({ models: model().models, services: toolset({ secrets }) }).start(
      chart,
    )
    await run.whenSettled()
    run.answer(onlyRequest(run).id, { secret: "none" })
    expect(await run.result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining('the secret "none"') },
    })
  })
})
