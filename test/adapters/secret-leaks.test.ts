import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createHttpServices, secretsFromEnvironment } from "../../src/adapters/http/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import { openAiModel } from "../../src/adapters/model/openai/index.js"
import { traceRun } from "../../src/adapters/telemetry/otel/index.js"
import { mcpToolset } from "../../src/adapters/tool/mcp/index.js"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid, drawSvg } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { McpConnection } from "../../src/machines/contract/mcp-connection.js"
import type { Journal, RunnerOptions } from "../../src/runtime/index.js"
import { createRunner } from "../../src/runtime/index.js"
import { cli, folderWith, isBuilt } from "../cli/command.js"
import { startServerProcess } from "../server/test-server.js"
import { startStudioProcess } from "../studio/test-studio.js"
import { chartOf as adkChartOf, calls, scriptedModel } from "../support/in-both-interpreters.js"
import { canary, echoingService, expectNoCanary, failings } from "./known-secret.js"
import { spansKept } from "./telemetry/spans-of.js"
import { temporaryFolder } from "../support/temporary-folder.js"

let service: Awaited<ReturnType<typeof echoingService>>
/** A URL without a server. */
let closed: string

beforeAll(async () => {
  service = await echoingService()
  const gone = await echoingService()
  closed = gone.url
  await gone.close()
})
afterAll(() => service.close())

const ways = [...failings, "refused"] as const

/** Returns an endpoint with a secret in each part of a request in which a config can use one. */
const endpoint = (kind: string, way: string): object => ({
  url: `${way === "refused" ? closed : service.url}/${kind}/${way}?key={{ $encodeUrlComponent($secret('key')) }}`,
  method: "POST",
  headers: {
    "x-api-key": "{{ $secret('key') }}",
    authorization: "Bearer {{ $secret('key') }}",
    "x-basic": "Basic {{ $base64encode('user:' & $secret('key')) }}",
  },
  body: { key: "{{ $secret('key') }}" },
})

/** Only calls of the service that never responds have a short timeout. On a busy machine, other calls can take longer. */
const retriedOnce = (way: string): object => ({
  activityConfig: {
    startToCloseTimeout: way === "silent" ? "300ms" : "30s",
    retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" },
  },
})

/** Returns a workflow with all kinds of failures: as models, and as tools of an agent that calls all of them. */
const config = (): object => ({
  rootAgentId: "all",
  initialUserInput: "Go.",
  agents: [
    {
      type: "SequentialAgent",
      id: "all",
      subAgents: [{ agentId: "models" }, { agentId: "caller" }],
    },
    {
      type: "ParallelAgent",
      id: "models",
      failurePolicy: "collect",
      subAgents: ways.map((way) => ({ agentId: `model-${way}` })),
    },
    ...ways.map((way) => ({
      type: "LlmAgent",
      id: `model-${way}`,
      outputKey: `${way}_text`,
      httpConfig: endpoint("model", way),
      ...retriedOnce(way),
    })),
    {
      type: "LlmAgent",
      id: "caller",
      model: "caller",
      tools: ways.map((way) => `tool-${way}`),
      outputKey: "said",
    },
  ],
  globalTools: ways.map((way) => ({
    type: "HttpTool",
    id: `tool-${way}`,
    outputKey: `${way}_result`,
    httpConfig: endpoint("tool", way),
    ...retriedOnce(way),
  })),
})

function chart(): AgentChart {
  const { chart: compiled, diagnostics } = compile(config(), { dialect: "adk" })
  if (compiled === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return compiled
}

const env = { CANARY_key: canary }

const callsAll = {
  content: null,
  toolCalls: ways.map((way, nth) => ({
    id: `c${nth}`,
    function_name: `tool-${way}`,
    function_args: {},
  })),
}

/** Runs a chart to its end, and returns all of its events, spans and requests and its result as text. */
async function everythingToldBy(played: AgentChart, services: RunnerOptions): Promise<string> {
  const { tracer, spans } = spansKept()
  const run = createRunner(services).start(played)
  traceRun(run, { tracer, chart: played, captureContent: true })
  const events: unknown[] = []
  run.events$.subscribe((event) => events.push(event))
  const result = await run.whenSettled()
  const told = spans().map(({ name, attributes, events: noted, status }) => ({
    name,
    attributes,
    noted,
    status,
  }))
  expect(events.length).toBeGreaterThan(3)
  return [...events, result, run.pending(), ...told]
    .map((one) => `${JSON.stringify(one)}\n${inspect(one, { depth: 20 })}`)
    .join("\n")
}

const everyFile = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) =>
      entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "latin1")] : [],
    )
    .join("\n")

describe("a secret of a config", () => {
  const journals: readonly (readonly [
    string,
    (folder: string) => Promise<{ readonly journal: Journal; close?(): Promise<void> | void }>,
  ])[] = [
    ["JSONL", async (folder) => ({ journal: jsonlJournal(folder) })],
    ["SQLite", async (folder) => ({ journal: sqliteJournal(join(folder, "runs.db")) })],
  ]

  test.each(journals)(
    "is in no event, error, span or result, and not in a %s journal",
    async (_, open) => {
      const folder = temporaryFolder("canary-")
      const http = createHttpServices({
        secrets: secretsFromEnvironment({ prefix: "CANARY_", env }),
        maxResponseBytes: 100_000,
      })
      const { journal } = await open(folder)
      service.heard.length = 0
      const { asked, models } = scriptedModel({ caller: [callsAll, { content: "Done." }] })
      const told = await everythingToldBy(chart(), {
        http,
        journal,
        models: { caller: models.any },
      })
      await http.close()
      // The secret was sent to all services, to some of them more than once, and the run reported the responses. On a busy
      // machine, calls of the silent service time out before they are sent.
      const sentTo = ["model", "tool"].flatMap((kind) =>
        failings.filter((way) => way !== "silent").map((way) => `/${kind}/${way}`),
      )
      expect(service.heard).toEqual(expect.arrayContaining(sentTo))
      expect(service.heard.length).toBeGreaterThan(sentTo.length)
      for (const way of ways) expect(told).toContain(`model-${way}`)
      expect(told).toContain("[secret key]")
      expectNoCanary("what the run told", told)
      expectNoCanary("what the model was told by tools", JSON.stringify(asked))
      const kept = everyFile(folder)
      expect(kept).toContain("model-status-500")
      expectNoCanary("the journal", kept)
    },
  )

  test("is in no drawing", async () => {
    expectNoCanary("the chart", JSON.stringify(chart()))
    expectNoCanary("Mermaid", drawMermaid(chart()))
    expectNoCanary("the SVG", await drawSvg(chart()))
  })

  test("is in no error of a service and in no cause of an error", async () => {
    const http = createHttpServices({
      secrets: secretsFromEnvironment({ prefix: "CANARY_", env }),
      maxResponseBytes: 100_000,
    })
    const failed: string[] = []
    for (const way of ways) {
      const { agents } = chart()
      const agent = agents[`model-${way}`]
      if (agent?.type !== "LlmAgent") throw new Error("it is one")
      const request = {
        runId: "r",
        agent: "a",
        path: "a",
        branch: null,
        idempotencyKey: "k",
        attempt: 1,
        model: null,
        endpoint: agent.endpoint,
        messages: [],
        tools: [],
        state: {},
        context: {},
      }
      await http.model
        .call(request, { signal: AbortSignal.timeout(300) })
        .catch((error: unknown) =>
          failed.push(`${String(error)} ${inspect(error, { depth: 20 })} ${JSON.stringify(error)}`),
        )
    }
    await http.close()
    expect(failed.length).toBeGreaterThan(8)
    expectNoCanary("an error", failed.join("\n"))
  })
})

describe("a provider's key", () => {
  test.each([
    ["as apiKey", { apiKey: canary }],
    ["in a header", { headers: { "x-api-key": canary } }],
    ["as a bearer token in a header", { headers: { Authorization: `Bearer ${canary}` } }],
  ])("set %s is in no event, error, span or result", async (_, given) => {
    const told: string[] = []
    for (const way of ways) {
      const model = openAiModel({
        baseUrl: `${way === "refused" ? closed : service.url}/v1/${way}`,
        ...given,
        maxResponseBytes: 100_000,
      })
      const { chart: asking } = compile(
        {
          rootAgentId: "a",
          initialUserInput: "Go.",
          agents: [{ type: "LlmAgent", id: "a", model: "m", ...retriedOnce(way) }],
        },
        { dialect: "adk" },
      )
      told.push(await everythingToldBy(asking as AgentChart, { models: { m: model } }))
      await model.close()
    }
    expect(told.join("\n")).toContain("[secret ")
    expectNoCanary("what the run told", told.join("\n"))
  })
})

describe("a secret of an MCP server", () => {
  const asking = (): AgentChart =>
    adkChartOf(
      {
        rootAgentId: "guide",
        initialUserInput: "Go.",
        agents: [{ type: "LlmAgent", id: "guide", instruction: "Help.", tools: ["weather"] }],
        globalTools: [{ type: "Toolset", id: "weather" }],
      },
      "any",
    )
  const toldWith = async (connection: McpConnection): Promise<string> => {
    const weather = mcpToolset(connection, { timeoutMs: 2_000 })
    const { models } = scriptedModel({
      guide: [calls("tell"), calls("fail", {}, "2"), { content: "Done." }],
    })
    const told = await everythingToldBy(asking(), { models, services: { weather } })
    await weather.close()
    return told
  }

  test.each([
    "status-500",
    "status-400-text",
    "encoded",
    "malformed",
    "wrong-shape",
    "redirect",
    "reset",
    "answer",
    "refused",
  ])("in a header is not reported by the run if the server fails with %s", async (way) => {
    const url = `${way === "refused" ? closed : service.url}/mcp/${way}?key=${encodeURIComponent(canary)}`
    expectNoCanary(
      "what the run told",
      await toldWith({ url, headers: { "x-api-key": canary, authorization: `Bearer ${canary}` } }),
    )
  })

  const program = fileURLToPath(new URL("mcp/telling-server.mjs", import.meta.url))

  test("in its environment is masked in the results and errors of its tools", async () => {
    const told = await toldWith({
      command: process.execPath,
      args: [program],
      env: { API_KEY: canary },
    })
    expect(told).toContain("[secret API_KEY]")
    expectNoCanary("what the run told", told)
  })

  test("in its environment is masked if the server prints it and exits at once", async () => {
    const told = await toldWith({
      command: process.execPath,
      args: [program, "--dies"],
      env: { API_KEY: canary, CONNECTION: canary },
    })
    expect(told).toContain("it printed")
    expectNoCanary("what the run told", told)
  })
})

describe.skipIf(!isBuilt)("a secret in the environment of a process", () => {
  // The command only provides models with names such as openai:..., so the agent that calls the tools is omitted.
  const written = (): object => {
    const whole = config() as { readonly agents: readonly { readonly id: string }[] }
    return {
      ...whole,
      rootAgentId: "models",
      agents: whole.agents.filter(({ id }) => id.startsWith("model")),
    }
  }

  test("is in no output and no file of the command", async () => {
    const cwd = folderWith({ "workflow.json": written() })
    for (const more of [["--json"], [], ["--debug", "--quiet"]]) {
      const before = service.heard.length
      const { stdout, stderr } = await cli(
        ["run", "workflow.json", "--run-id", `r${more.length}`, ...more],
        { cwd, env: { AGENT_SECRET_key: canary } },
      )
      expect(service.heard.length).toBeGreaterThan(before)
      expectNoCanary("stdout", stdout)
      expectNoCanary("stderr", stderr)
    }
    expectNoCanary("the folder", everyFile(cwd))
  })

  test("is in no response and no file of the studio", async () => {
    const cwd = folderWith({ "workflow.json": written() })
    process.env["AGENT_SECRET_key"] = canary
    const studio = await startStudioProcess(cwd, join(cwd, "runs"))
    delete process.env["AGENT_SECRET_key"]
    try {
      const before = service.heard.length
      const started = await studio.ask("/runs", {
        method: "POST",
        body: { file: "workflow.json", text: JSON.stringify(written()) },
      })
      expect(started.status).toBe(201)
      const { runId } = started.body as { readonly runId: string }
      const response = await fetch(`${studio.origin}/api/runs/${runId}/events`, {
        headers: { authorization: `Bearer ${studio.token}` },
      })
      const controller = new TextDecoder()
      let streamed = ""
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        streamed += controller.decode(chunk, { stream: true })
        if (streamed.includes("run.finished")) break
      }
      expect(service.heard.length).toBeGreaterThan(before)
      expect(streamed).toContain("model-status-500")
      expectNoCanary("the stream", streamed)
      const opened = await studio.ask(`/runs/${runId}`)
      expectNoCanary("the run", JSON.stringify(opened.body))
    } finally {
      await studio.stop()
    }
    expectNoCanary("the folder", everyFile(cwd))
  })

  test("is in no response of a server, with any protocol, and in none of its output and files", async () => {
    const cwd = folderWith({ "failing.json": written() })
    process.env["AGENT_SECRET_key"] = canary
    const server = await startServerProcess(cwd, join(cwd, "runs"))
    delete process.env["AGENT_SECRET_key"]
    const headers = {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      "a2a-version": "1.0",
    }
    const post = async (path: string, body: object): Promise<string> =>
      (
        await fetch(`${server.origin}${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        })
      ).text()
    try {
      const before = service.heard.length
      const runId = String(
        (await server.ask("/v1/runs", { method: "POST", body: { workflow: "failing" } })).body[
          "runId"
        ],
      )
      const streamed = await (
        await fetch(`${server.origin}/v1/runs/${runId}/events`, { headers })
      ).text()
      expect(service.heard.length).toBeGreaterThan(before)
      expect(streamed).toContain("model-status-500")
      expect(streamed).toContain("event: end")
      expectNoCanary("the stream of events", streamed)
      const queries = [
        "get_latest_orchestration_result",
        "get_session_events",
        "get_pending_confirmation_details",
        "get_latest_invocation_trace",
      ].map((query) => `/api/v1/workflows/${runId}/adk/all/queries/${query}`)
      for (const path of [
        "/v1/runs",
        `/v1/runs/${runId}`,
        `/v1/runs/${runId}/result`,
        "/openapi.json",
        ...queries,
      ])
        expectNoCanary(path, JSON.stringify((await server.ask(path)).body))
      expect(JSON.stringify((await server.ask(queries[3] ?? "")).body)).toContain(
        "model-status-500",
      )

      const spoken = await post("/ag-ui/failing", {
        threadId: "t1",
        runId: "r1",
        messages: [{ id: "m1", role: "user", content: "Go." }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      })
      expect(spoken).toContain("model-status-500")
      expectNoCanary("AG-UI", spoken)
      const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Go." }] }
      const told = await post("/a2a/failing", {
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: { message },
      })
      expect(told).toContain("result")
      expectNoCanary("A2A", told)
    } finally {
      await server.stop()
    }
    expectNoCanary("what it printed", server.said())
    expectNoCanary("the folder", everyFile(cwd))
  })
})
