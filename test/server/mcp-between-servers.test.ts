import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { mcpToolset } from "../../src/adapters/tool/mcp/index.js"
import { isBuilt } from "../cli/command.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess } from "./test-server.js"

const clerk = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "Go.",
  agents: [
    { type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["others"] },
  ],
  globalTools: [{ type: "Toolset", id: "others", toolFilter: ["report"] }],
})

const report = {
  rootAgentId: "reporter",
  agents: [
    {
      type: "LlmAgent",
      id: "reporter",
      httpConfig: { url: "http://llm.test/reporter", method: "POST" },
    },
  ],
}

describe.skipIf(!isBuilt).each(interpreters)(
  "an agent whose tool is a workflow of another server (%s)",
  (interpreter) => {
    test("an agent receives the workflow's result although the server is killed, and the workflow runs once", async () => {
      const place = mkdtempSync(join(tmpdir(), "between-"))
      mkdirSync(join(place, "work", "report"), { recursive: true })
      writeFileSync(join(place, "work", "report", "workflow.json"), JSON.stringify(report))
      writeFileSync(
        join(place, "work", "report", "scenario.json"),
        JSON.stringify({
          llm: { reporter: [{ delayMs: 1_000, content: "All is well.", exitFlow: true }] },
        }),
      )
      const serve = (port: string): Promise<TestServer> =>
        startServerProcess(join(place, "work"), join(place, "runs"), [
          "--mcp",
          "--scripted",
          "--token",
          "test-token",
          "--port",
          port,
        ])
      let server = await serve("0")
      const others = mcpToolset({
        url: `${server.origin}/mcp`,
        headers: { authorization: "Bearer test-token" },
      })
      onTestFinished(async () => {
        await others.close()
        await server.stop()
        rmSync(place, { recursive: true })
      })
      const runs = async () =>
        (
          (await server.ask("/v1/runs")).body as unknown as {
            readonly runs: readonly { readonly runId: string; readonly status: string }[]
          }
        ).runs

      const { asked, models } = scriptedModel({
        clerk: [calls("report", { prompt: "How is it?" }), { content: "done" }],
      })
      const playing = play(interpreter, clerk, { models, services: { others } })
      while ((await runs())[0]?.status !== "running")
        await new Promise((resolve) => setTimeout(resolve, 20))
      const [before] = await runs()
      await server.stop("SIGKILL")
      server = await serve(new URL(server.origin).port)

      expect((await playing).rested).toMatchObject({ status: "completed", text: "done" })
      expect(toldByTools(asked)).toMatchObject({
        runId: before?.runId,
        status: "completed",
        text: "All is well.",
      })
      expect(await runs()).toEqual([
        expect.objectContaining({ runId: before?.runId, status: "completed" }),
      ])
    })
  },
)
