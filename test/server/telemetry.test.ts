import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/client/index.js"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { writeCalledWorkflows } from "./called-workflows.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess } from "./test-server.js"

interface Printed {
  readonly span?: string
  readonly metric?: string
  readonly value?: number
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** Returns the lines that the SDK in a server has printed, parsed as JSON. */
const printedBy = (server: TestServer): readonly Printed[] =>
  [...server.said().matchAll(/^otel (.+)$/gm)].map(([, json = "{}"]) => JSON.parse(json) as Printed)

describe.skipIf(!isBuilt)("serve --telemetry", () => {
  const place = mkdtempSync(join(tmpdir(), "telemetry-"))
  const sdk = pathToFileURL(join(projectFolder, "test/server/printing-sdk.mjs")).href
  const serve = (env: Readonly<Record<string, string>>): Promise<TestServer> =>
    startServerProcess(
      join(place, "work"),
      join(place, "runs"),
      ["--scripted", "--resume", "--telemetry", "--token", "test-token"],
      env,
    )

  beforeAll(() => {
    writeCalledWorkflows(join(place, "work"))
  })
  afterAll(() => rmSync(place, { recursive: true }))

  test("the spans and metrics of started, called and resumed runs are recorded once", async () => {
    const first = await serve({ NODE_OPTIONS: `--import ${sdk}` })
    await first.ask("/v1/runs", { method: "POST", body: { workflow: "newsletter", runId: "news" } })
    await first.events("news", ({ type }) => type === "human.asked")
    const modelCalls = (server: TestServer): readonly unknown[] =>
      printedBy(server)
        .filter(({ metric }) => metric === "gen_ai.client.operation.duration")
        .map(({ attributes }) => attributes?.["gen_ai.workflow.name"])
    await expect.poll(() => modelCalls(first)).toEqual(["flow"])
    await expect.poll(() => printedBy(first)).toContainEqual({ span: "invoke_agent editor" })
    await first.stop("SIGKILL")

    const second = await serve({ NODE_OPTIONS: `--import ${sdk}` })
    const run = createClient({ url: second.origin, token: second.token }).run("news")
    const { pending } = await run.status()
    await run.answer(String(pending[0]?.id), "yes")
    expect(await run.whenSettled()).toMatchObject({ status: "completed" })
    expect(await second.stop()).toBe(0)
    expect(modelCalls(second)).toEqual(["newsletter"])
    const printed = printedBy(second)
    const ended = printed.filter(({ metric }) => metric === "agent_statecharts.run.duration")
    expect(ended.map(({ attributes }) => attributes)).toEqual([
      { "gen_ai.workflow.name": "flow", "agent_statecharts.status": "completed" },
      { "gen_ai.workflow.name": "newsletter", "agent_statecharts.status": "completed" },
    ])
    const active = printed.filter(({ metric }) => metric === "agent_statecharts.runs.active")
    expect(active.reduce((sum, { value = 0 }) => sum + value, 0)).toBe(0)
    expect(printed).not.toContainEqual({ span: "invoke_agent editor" })
    expect(printed).toContainEqual({ span: "invoke_workflow newsletter" })
  })

  test("the server warns if no OpenTelemetry SDK is registered", async () => {
    const server = await serve({})
    expect(server.said()).toContain("no OpenTelemetry SDK is registered")
    expect(await server.stop()).toBe(0)
  })
})
