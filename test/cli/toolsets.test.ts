import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { describe, expect, test } from "vitest"
import type { McpConnection } from "../../src/machines/contract/mcp-connection.js"
import { weatherServer } from "../adapters/mcp/weather-tools.js"
import { calls, chartOf } from "../support/in-both-interpreters.js"
import { cli, cliProcess, folderWith, isBuilt } from "./command.js"

const httpConfig = { url: "http://agents.test/guide", method: "POST" }
const scenario = { llm: { guide: [calls("forecast", { city: "Rome" }), { content: "Sunny." }] } }
const cwd = folderWith({ "scenario.json": scenario })

/** Writes a compiled chart whose toolset is this MCP server. */
function write(name: string, mcp: McpConnection): void {
  const chart = chartOf({
    rootAgentId: "guide",
    initialUserInput: "How is Rome?",
    agents: [
      { type: "LlmAgent", id: "guide", httpConfig, instruction: "Help.", tools: ["weather"] },
    ],
    globalTools: [{ type: "Toolset", id: "weather" }],
  })
  writeFileSync(
    join(cwd, name),
    JSON.stringify({ ...chart, tools: { weather: { type: "Toolset", service: "weather", mcp } } }),
  )
}

describe.skipIf(!isBuilt)("a toolset with an MCP server in the chart", () => {
  test("run calls the tools of the MCP server", async () => {
    const handler = createMcpHandler(() => weatherServer())
    const server = createServer(getRequestListener((request) => handler.fetch(request)))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    write("served.chart.json", {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    })
    const { code, stdout } = await cli(
      ["run", "served.chart.json", "--scripted", "scenario.json"],
      { cwd },
    )
    server.closeAllConnections()
    server.close()
    expect(stdout).toContain("Sunny in Rome.")
    expect(code).toBe(0)
  })

  test("run does not start a program as an MCP server without --allow-processes", async () => {
    write("program.chart.json", { command: "touch", args: ["started"] })
    const { code, stderr } = await cli(
      ["run", "program.chart.json", "--scripted", "scenario.json"],
      { cwd },
    )
    expect(stderr).toMatch(
      /process_refused: the toolset "weather" starts the program "touch", which is not allowed/,
    )
    expect(code).toBe(2)
  })

  test.each([
    [[], "root_agent.yaml has errors and is not served"],
    [["--allow-processes"], "Serving 1 workflow as an MCP tool."],
  ])(
    "the mcp command serves a workflow that starts an MCP server only with --allow-processes: %j",
    async (leave, says) => {
      const place = folderWith({
        "root_agent.yaml": `name: guide\nmodel: any\ninstruction: Help.\ntools:\n  - name: McpToolset\n    args: { stdio_server_params: { command: ${process.execPath} } }\n`,
      })
      const { stderr } = await cliProcess([
        "mcp",
        place,
        "--journal",
        join(place, "runs"),
        ...leave,
      ])
      expect(stderr).toContain(says)
    },
  )

  test("run --allow-processes starts the MCP server and calls its tools", async () => {
    write("allowed.chart.json", {
      command: process.execPath,
      args: [fileURLToPath(new URL("../adapters/mcp/stdio-server.mjs", import.meta.url))],
      env: { SKY: "Rain" },
    })
    const { code, stdout } = await cli(
      ["run", "allowed.chart.json", "--scripted", "scenario.json", "--allow-processes"],
      { cwd },
    )
    expect(stdout).toContain("Rain in Rome.")
    expect(code).toBe(0)
  })

  test("fork --allow-processes starts the MCP server for the fork", async () => {
    write("forked.chart.json", {
      command: process.execPath,
      args: [fileURLToPath(new URL("../adapters/mcp/stdio-server.mjs", import.meta.url))],
      env: { SKY: "Snow" },
    })
    expect(
      (
        await cli(
          [
            "run",
            "forked.chart.json",
            "--scripted",
            "scenario.json",
            "--allow-processes",
            "--run-id",
            "first",
          ],
          { cwd },
        )
      ).code,
    ).toBe(0)
    const { code, stdout } = await cli(
      ["fork", "first", "--at", "0", "--scripted", "scenario.json", "--allow-processes"],
      { cwd },
    )
    expect(stdout).toContain("Snow in Rome.")
    expect(code).toBe(0)
  })
})
