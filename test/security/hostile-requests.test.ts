import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { AgentServer } from "../../src/server/start-server.js"
import { startServer } from "../../src/server/start-server.js"
import { Workspace } from "../../src/studio/server/workspace.js"
import { begin, chartOf, interpreters } from "../support/in-both-interpreters.js"

const place = mkdtempSync(join(tmpdir(), "security-"))
const asking = {
  rootAgentId: "asker",
  agents: [{ type: "HumanAgent", id: "asker", outputKey: "answer", prompt: "Well?" }],
}

/** Returns JSON text with this number of nesting levels. */
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

afterAll(() => rmSync(place, { recursive: true }))

describe("large and deep requests", () => {
  let server: AgentServer

  beforeAll(async () => {
    mkdirSync(join(place, "served"))
    writeFileSync(join(place, "served", "ask.json"), JSON.stringify(asking))
    const openServices = () => Promise.resolve({ calls: {}, close: () => Promise.resolve() })
    const options = { scripted: false, allowProcesses: false, version: "0" }
    server = await startServer({
      ...options,
      path: join(place, "served"),
      journal: jsonlJournal(join(place, "runs")),
      openServices,
      token: "the-token",
      perSecond: 0,
    })
  })
  afterAll(() => server.close())

  const post = async (
    path: string,
    body: string,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await fetch(server.url + path, {
      method: "POST",
      body,
      headers: { authorization: "Bearer the-token", "content-type": "application/json" },
    })
    return { status: response.status, text: await response.text() }
  }

  test.each([600, 5_000, 150_000])(
    "every route rejects JSON with %i nesting levels, and the server continues to work",
    async (levels) => {
      const inner = deep(levels)
      const { runId } = JSON.parse((await post("/v1/runs", '{"workflow":"ask"}')).text) as {
        readonly runId: string
      }
      const bodies: readonly (readonly [string, string])[] = [
        ["/v1/runs", `{"workflow":"ask","state":{"a":${inner}}}`],
        [`/v1/runs/${runId}/answer`, `{"id":"asker#0","value":${inner}}`],
        [`/v1/runs/${runId}/approve`, `{"id":"asker#0","args":${inner}}`],
        [`/v1/runs/${runId}/deliver`, `{"callId":"c","result":${inner}}`],
        [
          "/ag-ui/ask",
          `{"threadId":"t","runId":"r","state":${inner},"messages":[],"tools":[],"context":[],"forwardedProps":{}}`,
        ],
        [
          "/a2a/ask",
          `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER","messageId":"m","parts":[{"data":${inner}}]}}}`,
        ],
      ]
      for (const [path, body] of bodies)
        expect(await post(path, body), path).toMatchObject({
          status: 400,
          text: expect.stringContaining("nested deeper than 500 levels"),
        })
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
      expect(
        (await post(`/v1/runs/${runId}/answer`, '{"id":"asker#0","value":"fine"}')).status,
      ).toBe(200)
    },
  )

  test("a state with 60,000 keys is rejected", async () => {
    const state = `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(",")}}`
    expect(await post("/v1/runs", `{"workflow":"ask","state":${state}}`)).toMatchObject({
      status: 400,
      text: expect.stringContaining("60000 keys"),
    })
  })

  test("a state may contain keys such as __proto__, but no reserved keys", async () => {
    const started = await post(
      "/v1/runs",
      '{"workflow":"ask","state":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    )
    expect(started.status).toBe(201)
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
    expect(
      await post("/v1/runs", '{"workflow":"ask","state":{"\\u0000artifacts":{}}}'),
    ).toMatchObject({ status: 400 })
  })

  test("a run id is never used as a file path", async () => {
    for (const runId of [
      "../../up",
      "a/b",
      "a\\b",
      "a\u0000b",
      "%2e%2e",
      "\u202eabc",
      "",
      "x".repeat(200),
    ]) {
      expect(
        (await post("/v1/runs", JSON.stringify({ workflow: "ask", runId }))).status,
        JSON.stringify(runId),
      ).toBe(400)
    }
    for (const runId of ["..", ".", "CON", "__proto__"]) {
      expect((await post("/v1/runs", JSON.stringify({ workflow: "ask", runId }))).status).toBe(201)
      expect(existsSync(join(place, "runs", `${runId}.jsonl`))).toBe(false)
    }
    expect(readdirSync(place).sort()).toEqual(["runs", "served"])
  })

  // The server closes the connection after this request, so this test comes last.
  test("a body that is too large is rejected with status 413", async () => {
    expect(
      await post("/v1/runs", `{"workflow":"ask","prompt":"${"x".repeat(2 * 1024 * 1024)}"}`),
    ).toMatchObject({ status: 413 })
  })

  test.each(interpreters)(
    "the depth limit also applies to runs that a program starts without a server (%s)",
    async (interpreter) => {
      const chart = chartOf(asking)
      const state = { a: JSON.parse(deep(600)) as unknown }
      const refusal = (async () =>
        (await begin(interpreter, chart, {}, { state }).controls.whenSettled()).error)().catch(
        (error: unknown) => error,
      )
      expect(await refusal).toMatchObject({ code: "input_refused" })
      const run = createRunner({}).start(chart)
      await run.whenSettled()
      expect(() => run.answer("asker#0", state)).toThrow(
        expect.objectContaining({ code: "input_refused" }),
      )
      await run.cancel()
    },
  )
})

describe("files outside the folder of the studio", () => {
  const folder = join(place, "work")
  const outside = join(place, "outside.json")
  let workspace: Workspace

  beforeAll(() => {
    mkdirSync(join(folder, "team"), { recursive: true })
    writeFileSync(outside, "outside")
    writeFileSync(join(folder, "workflow.json"), "before")
    symlinkSync(outside, join(folder, "link.json"))
    symlinkSync(place, join(folder, "up"))
    symlinkSync(outside, join(folder, "scenario.json"))
    symlinkSync(outside, join(folder, `workflow.json.${process.pid}.studio`))
    workspace = new Workspace(folder, {})
  })
  afterAll(() => rmSync(outside))

  test.each([
    "../outside.json",
    "team/../../outside.json",
    "link.json",
    "up/outside.json",
    "/etc/passwd",
    "",
    ".",
    "team",
    "workflow.json\u0000",
  ])("the studio neither reads nor writes %j", async (path) => {
    expect(() => workspace.read(path)).toThrow()
    await expect(workspace.write(path, "changed")).rejects.toThrow()
    expect(readFileSync(outside, "utf8")).toBe("outside")
  })

  test("the studio does not follow a link at the path of its temporary file", async () => {
    await workspace.write("workflow.json", "after")
    expect([
      readFileSync(join(folder, "workflow.json"), "utf8"),
      readFileSync(outside, "utf8"),
    ]).toEqual(["after", "outside"])
  })

  test("the studio ignores a scenario file that is a link out of the folder", () =>
    expect(workspace.scenarioOf("workflow.json")).toBeNull())
})
