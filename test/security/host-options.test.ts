import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt } from "../cli/command.js"
import { startTestServer } from "../server/test-server.js"
import { startTestStudio } from "../studio/test-studio.js"

describe.skipIf(!isBuilt)("host rules on the command line", () => {
  const cwd = folderWith({})
  const agent = {
    type: "LlmAgent",
    id: "writer",
    outputKey: "said",
    httpConfig: { url: "http://{{ state.host }}/writer", method: "POST" },
    activityConfig: { retryPolicy: { maximumAttempts: 1 } },
  }
  const server = createServer(
    (_, response) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"content":"reached","exitFlow":true}'),
  )
  let text = ""

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    text = JSON.stringify({
      rootAgentId: "writer",
      prompt: "Go.",
      state: { host: `127.0.0.1:${(server.address() as AddressInfo).port}` },
      agents: [agent],
    })
    mkdirSync(join(cwd, "work"))
    writeFileSync(join(cwd, "work", "lead.json"), text)
  })
  afterAll(() => void server.close())

  test.each<[readonly string[], "refused" | "reached"]>([
    [[], "refused"],
    [["--allow-template-hosts"], "refused"],
    [["--allow-host", "*.example.com"], "refused"],
    [["--allow-host", "*.example.com", "--allow-host", "127.0.0.1:*"], "reached"],
    [["--allow-template-hosts", "--allow-private-addresses"], "reached"],
  ])("with the options %j of run, the host is %s", async (options, ending) => {
    const { code, stdout } = await cli(
      ["run", "work/lead.json", "--no-journal", "--prompt", "Go.", ...options],
      { cwd },
    )
    expect({ code, stdout }).toEqual({
      code: ending === "reached" ? 0 : 1,
      stdout: expect.stringContaining(ending === "reached" ? "reached" : "host_refused"),
    })
  })

  test("--allow-host rejects an invalid host pattern before the run starts", async () => {
    const { code, stderr } = await cli(
      ["run", "work/lead.json", "--no-journal", "--prompt", "Go.", "--allow-host", "*"],
      { cwd },
    )
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('host_refused: "*" is not a valid host pattern'),
    ])
  })

  test.each<[readonly string[], string]>([
    [[], "failed"],
    [["--allow-host", "127.0.0.1:*"], "completed"],
  ])("with the options %j of serve and studio, the run is %s", async (options, status) => {
    const journals = [
      join(cwd, `served-${options.length}`),
      join(cwd, `studio-${options.length}`),
    ] as const
    const serving = await startTestServer(join(cwd, "work"), journals[0], [
      "--token",
      "test-token",
      ...options,
    ])
    const { runId } = (
      await serving.ask("/v1/runs", { method: "POST", body: { workflow: "lead" } })
    ).body as { readonly runId: string }
    expect((await serving.ask(`/v1/runs/${runId}/result?wait=30`)).body).toMatchObject({ status })
    await serving.stop()

    const studio = await startTestStudio(join(cwd, "work"), journals[1], options)
    const begun = (await studio.ask("/runs", { method: "POST", body: { file: "lead.json", text } }))
      .body as { readonly runId: string }
    await expect
      .poll(async () => (await studio.ask(`/runs/${begun.runId}`)).body)
      .toMatchObject({ status })
    await studio.stop()
  })
})
