import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, test } from "vitest"
import { mcpToolset, mcpToolsets } from "../../../src/adapters/tool/mcp/index.js"
import type { McpToolset } from "../../../src/adapters/tool/mcp/index.js"
import type { McpConnection } from "../../../src/machines/contract/mcp-connection.js"
import type { HostContext } from "../../../src/runtime/host/host-function.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../../support/in-both-interpreters.js"
import { silentServer } from "../../support/silent-server.js"
import { weatherServer } from "./weather-tools.js"

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const opened = (connection: McpConnection): McpToolset => {
  const toolset = mcpToolset(connection, { timeoutMs: 10_000 })
  closing.push(() => toolset.close())
  return toolset
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/**
 * Starts an MCP server over HTTP that requires a key, and returns its URL. `forgets` returns
 * whether the session of a request is lost.
 */
async function serveHttp(key = "k", forgets = (): boolean => false): Promise<string> {
  const handler = createMcpHandler(() => weatherServer())
  const listener = getRequestListener((request) => {
    if (forgets()) return new Response("no such session", { status: 404 })
    return request.headers.get("x-key") === key
      ? handler.fetch(request)
      : new Response("no key", { status: 403 })
  })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => close(server))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const program = {
  command: process.execPath,
  args: [fileURLToPath(new URL("stdio-server.mjs", import.meta.url))],
}

// An MCP toolset only uses the signal of the context.
const context = { signal: new AbortController().signal } as HostContext

describe("a toolset of an MCP server over HTTP", () => {
  test("lists the tools of the server with their schemas", async () => {
    const tools = await opened({ url: await serveHttp(), headers: { "x-key": "k" } }).list(context)
    expect(tools).toMatchObject([
      {
        name: "forecast",
        description: "Tells the weather.",
        parameters: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
      },
      { name: "measure" },
      { name: "map" },
    ])
  })

  test("returns the structured content of a call, else its text, else its content, and throws errors", async () => {
    const weather = opened({ url: await serveHttp(), headers: { "x-key": "k" } })
    expect(await weather.call(context, "forecast", { city: "Rome" })).toBe("Sunny in Rome.")
    expect(await weather.call(context, "measure", { city: "Rome" })).toEqual({ degrees: 4 })
    expect(await weather.call(context, "map", { city: "Rome" })).toEqual({
      content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
    })
    await expect(weather.call(context, "forecast", { city: "Atlantis" })).rejects.toThrow(
      "no such city",
    )
  })

  test("repeats a call in a new session if the server has lost the old session", async () => {
    let lost = 0
    const weather = opened({
      url: await serveHttp("k", () => lost-- > 0),
      headers: { "x-key": "k" },
    })
    await weather.list(context)
    lost = 1
    expect(await weather.call(context, "forecast", { city: "Rome" })).toBe("Sunny in Rome.")
    lost = 100
    await expect(weather.call(context, "forecast", { city: "Rome" })).rejects.toMatchObject({
      code: "service_unreachable",
    })
  })

  test.each(["auto", "sse"] as const)(
    "does not lose other calls if the connection of one call is lost (%s)",
    async (responseMode) => {
      const sockets = new Map<unknown, Socket>()
      let release = (): void => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const handler = createMcpHandler(
        () => {
          const server = new McpServer({ name: "two", version: "1" })
          server.registerTool("slow", {}, () =>
            released.then(() => ({ content: [{ type: "text", text: "at last" }] })),
          )
          server.registerTool("cut", {}, () => new Promise<never>(() => {}))
          return server
        },
        { responseMode },
      )
      const listener = getRequestListener((request) => handler.fetch(request))
      const server = createServer((request, response) => {
        sockets.set(request.headers["mcp-name"], request.socket)
        void listener(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      closing.push(() => close(server))
      const two = opened({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
      const slow = two.call(context, "slow", {})
      const cut = expect(two.call(context, "cut", {})).rejects.toMatchObject({
        code: "connection_lost",
      })
      while (!sockets.has("slow") || !sockets.has("cut"))
        await new Promise((resolve) => setTimeout(resolve, 10))
      sockets.get("cut")?.destroy()
      await cut
      release()
      expect(await slow).toBe("at last")
    },
  )

  test("fails after connectTimeoutMs if the server never responds", async () => {
    const { url } = await silentServer()
    const silent = mcpToolset({ url }, { connectTimeoutMs: 200 })
    closing.push(() => silent.close())
    await expect(silent.list(context)).rejects.toMatchObject({
      code: "service_unreachable",
      message: expect.stringMatching(/cannot be reached: .*timed out/i),
    })
  })

  test("throws service_unreachable with the URL if the server refuses requests or is not running", async () => {
    const url = await serveHttp("other")
    const refused = opened({ url, headers: { "x-key": "k" } })
    await expect(refused.list(context)).rejects.toMatchObject({
      code: "service_unreachable",
      message: expect.stringContaining(url),
    })
    await expect(refused.list(context)).rejects.toMatchObject({ code: "service_unreachable" })
    await expect(opened({ url: "http://127.0.0.1:9/mcp" }).list(context)).rejects.toMatchObject({
      code: "service_unreachable",
    })
  })
})

describe("a toolset of an MCP server over stdio", () => {
  test("starts the program once, with its environment, and ends it on close", async () => {
    const weather = opened({ ...program, env: { SKY: "Rain" } })
    expect((await weather.list(context)).map(({ name }) => name)).toEqual([
      "forecast",
      "process",
      "elicit",
      "sample",
      "stop",
    ])
    expect(await weather.call(context, "forecast", { city: "Oslo" })).toBe("Rain in Oslo.")
    const pid = Number(await weather.call(context, "process", {}))
    expect(Number(await weather.call(context, "process", {}))).toBe(pid)
    await weather.close()
    expect(() => process.kill(pid, 0)).toThrow("ESRCH")
  })

  test("restarts its program for the next call if the program has ended", async () => {
    const weather = opened(program)
    const first = await weather.call(context, "process", {})
    await expect(weather.call(context, "stop", {})).rejects.toThrow(/closed/i)
    expect(await weather.call(context, "process", {})).not.toBe(first)
  })

  test.each([
    ["elicit", /Client does not support/],
    ["sample", /does not support the request "sampling\/createMessage"/],
  ])(
    "fails a call of a tool that sends an unsupported request (%s), and the connection still works",
    async (name, message) => {
      const toolset = opened(program)
      await expect(async () => toolset.call(context, name, {})).rejects.toThrow(message)
      expect(await toolset.call(context, "forecast", { city: "Graz" })).toBe("Sunny in Graz.")
    },
  )

  test("throws service_unreachable with the output of a program that cannot be started", async () => {
    const broken = opened({
      command: process.execPath,
      args: ["-e", "console.error('no configuration'); process.exit(3)"],
    })
    await expect(broken.list(context)).rejects.toMatchObject({
      code: "service_unreachable",
      message: expect.stringContaining("no configuration"),
    })
    await expect(opened({ command: "/no/such/program" }).list(context)).rejects.toMatchObject({
      code: "service_unreachable",
    })
  })
})

describe.each(interpreters)("an agent with the tools of an MCP server (%s)", (interpreter) => {
  test("calls these tools like its own tools", async () => {
    const weather = opened({ url: await serveHttp(), headers: { "x-key": "k" } })
    const chart = chartOf({
      rootAgentId: "guide",
      initialUserInput: "How is Rome?",
      agents: [
        {
          type: "LlmAgent",
          id: "guide",
          model: "any",
          instruction: "Help.",
          tools: [{ type: "Toolset", id: "weather", toolFilter: ["forecast"] }],
        },
      ],
      globalTools: [],
    })
    const { asked, models } = scriptedModel({
      guide: [calls("forecast", { city: "Rome" }), { content: "Sunny." }],
    })
    const { rested } = await play(interpreter, chart, { models, services: { weather } })
    expect(rested).toMatchObject({ status: "completed", text: "Sunny." })
    expect(toldByTools(asked)).toEqual({ result: "Sunny in Rome." })
  })
})

describe("the MCP servers of a chart", () => {
  const chartWith = (mcp: McpConnection) => {
    const chart = chartOf({
      rootAgentId: "guide",
      agents: [
        { type: "LlmAgent", id: "guide", model: "any", instruction: "Help.", tools: ["weather"] },
      ],
      globalTools: [{ type: "Toolset", id: "weather" }],
    })
    return { ...chart, tools: { weather: { type: "Toolset" as const, service: "weather", mcp } } }
  }

  test("an MCP server of a chart becomes a toolset", async () => {
    const { services, close: end } = mcpToolsets(
      chartWith({ url: await serveHttp(), headers: { "x-key": "k" } }),
    )
    closing.push(end)
    expect(await services["weather"]?.call(context, "forecast", { city: "Rome" })).toBe(
      "Sunny in Rome.",
    )
  })

  test("an MCP server that is a program needs allowStdio, unless a toolset is registered for it", () => {
    const chart = chartWith(program)
    expect(() => mcpToolsets(chart)).toThrow(
      expect.objectContaining({
        code: "process_refused",
        message: expect.stringContaining('"weather"'),
      }),
    )
    expect(Object.keys(mcpToolsets(chart, { registered: ["weather"] }).services)).toEqual([])
    expect(Object.keys(mcpToolsets(chart, { allowStdio: true }).services)).toEqual(["weather"])
  })
})
