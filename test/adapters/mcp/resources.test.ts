import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { mcpToolset } from "../../../src/adapters/tool/mcp/index.js"
import type { McpToolset } from "../../../src/adapters/tool/mcp/index.js"
import type { HostContext } from "../../../src/runtime/host/host-function.js"

/** A real server with text resources, an image, a template and a tool with the reserved name. */
function library(): McpServer {
  const server = new McpServer({ name: "library", version: "1" })
  server.registerTool("lend", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "lent" }],
  }))
  server.registerTool("load_mcp_resource", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "the tool of the server" }],
  }))
  server.registerResource(
    "rules",
    "library://rules",
    { description: "The house rules." },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: "text/plain", text: "Be quiet. Token s3cr3t-token." }],
    }),
  )
  server.registerResource("logo", "library://logo", {}, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: "AAAA" }],
  }))
  server.registerResource(
    "book",
    new ResourceTemplate("library://books/{id}", { list: undefined }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `Book ${String(id)}` }] }),
  )
  return server
}

async function serving(make: () => McpServer): Promise<string> {
  const handler = createMcpHandler(make)
  const server = createServer(getRequestListener((request) => handler.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function toolsetOf(url: string, useResources: boolean): McpToolset {
  const headers = { authorization: "s3cr3t-token" }
  const toolset = mcpToolset({ url, headers, useResources })
  onTestFinished(() => toolset.close())
  return toolset
}

const context = { signal: new AbortController().signal } as HostContext

test("an agent reads resources by name, by URI and by the URI of a template", async () => {
  const toolset = toolsetOf(await serving(library), true)
  const tools = await toolset.list(context)
  expect(tools.map(({ name }) => name)).toEqual(["lend", "load_mcp_resource"])
  expect(tools[1]?.description).toBe(
    "Reads resources of the MCP server.\nResources:\n- rules: The house rules.\n- logo",
  )
  const names = ["rules", "library://logo", "library://books/7"]
  expect(await toolset.call(context, "load_mcp_resource", { resource_names: names })).toEqual({
    contents: [
      {
        uri: "library://rules",
        mimeType: "text/plain",
        text: "Be quiet. Token [secret authorization].",
      },
      { uri: "library://logo", mimeType: "image/png", blob: "AAAA" },
      { uri: "library://books/7", text: "Book 7" },
    ],
  })
})

test("an unknown resource and wrong arguments are errors of the tool", async () => {
  const toolset = toolsetOf(await serving(library), true)
  const load = (args: Record<string, unknown>) => toolset.call(context, "load_mcp_resource", args)
  await expect(load({ resource_names: ["menu"] })).rejects.toThrow(
    'The server has no resource "menu".',
  )
  await expect(load({ resource_names: ["library://cellar"] })).rejects.toThrow(/library:\/\/cellar/)
  for (const args of [{}, { resource_names: [] }, { resource_names: ["rules", 7] }])
    await expect(load(args)).rejects.toThrow(
      'The argument "resource_names" must be a list of 1 to 20 names or URIs.',
    )
})

test("without useResources, and for a server without resources, no tool is added", async () => {
  const own = toolsetOf(await serving(library), false)
  expect((await own.list(context)).map(({ name }) => name)).toEqual(["lend", "load_mcp_resource"])
  expect(await own.call(context, "load_mcp_resource", {})).toBe("the tool of the server")
  const plain = toolsetOf(await serving(() => new McpServer({ name: "plain", version: "1" })), true)
  expect(await plain.list(context)).toEqual([])
})
