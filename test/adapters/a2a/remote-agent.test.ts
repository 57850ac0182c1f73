import { afterEach, describe, expect, test } from "vitest"
import { createHttpServices } from "../../../src/adapters/http/index.js"
import { compileOrThrow } from "../../../src/compiler/index.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import { begin, interpreters } from "../../support/in-both-interpreters.js"
import type { A2aAgent, A2aAgentOptions } from "../../support/a2a-agent.js"
import { startA2aAgent } from "../../support/a2a-agent.js"

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function agent(options?: A2aAgentOptions): Promise<A2aAgent> {
  const started = await startA2aAgent(options)
  closing.push(() => {
    started.release()
    return started.kill()
  })
  return started
}

function services() {
  const http = createHttpServices()
  closing.push(() => http.close())
  return { http }
}

const chartOf = ({ url }: A2aAgent, fields: object = {}): AgentChart =>
  compileOrThrow({
    rootAgentId: "helper",
    agents: [{ type: "RemoteA2AAgent", id: "helper", agentCard: url, ...fields }],
  })

const bodies = ({ requests }: A2aAgent): string[] => requests.map(({ method }) => method)

describe.each(interpreters)("a remote agent (%s)", (interpreter) => {
  test("sends the prompt and streams the answer", async () => {
    const remote = await agent()
    const { controls, events } = begin(
      interpreter,
      chartOf(remote, { outputKey: "said" }),
      services(),
      { prompt: "owls" },
    )
    const result = await controls.result
    expect(result).toMatchObject({
      status: "completed",
      text: "You said: owls",
      state: { said: "You said: owls" },
    })
    const deltas = events.flatMap((event) => (event.type === "model.delta" ? [event.text] : []))
    expect(deltas.join("")).toBe("You said: owls")
    expect(events.find(({ type }) => type === "agent.finished")).toMatchObject({
      kind: "RemoteA2AAgent",
      remoteTask: expect.any(String),
    })
    expect(bodies(remote)).toEqual(["card", "SendStreamingMessage"])
  })

  test("opens a request for a person if its task needs input", async () => {
    const remote = await agent()
    const { controls } = begin(interpreter, chartOf(remote), services(), { prompt: "ask me" })
    expect((await controls.whenSettled()).status).toBe("waiting")
    const [request] = controls.pending()
    expect(request).toMatchObject({ kind: "human", prompt: "Which color?", agent: "helper" })
    await controls.give({ type: "answer", id: request?.id ?? "", value: "blue" })
    expect(await controls.result).toMatchObject({ status: "completed", text: "You said: blue" })
    expect(remote.messages).toHaveLength(2)
    expect(remote.messages[1]?.taskId).toBe(
      remote.messages[0]?.taskId || remote.messages[1]?.taskId,
    )
  })

  test("opens an auth request, and sends the name of the secret from the answer", async () => {
    const remote = await agent()
    const { controls } = begin(interpreter, chartOf(remote), services(), { prompt: "auth" })
    await controls.whenSettled()
    const [request] = controls.pending()
    expect(request).toMatchObject({ kind: "auth", prompt: "Log in at https://login.test" })
    await controls.give({ type: "answer", id: request?.id ?? "", value: { secret: "CRM" } })
    expect(await controls.result).toMatchObject({ status: "completed" })
    expect(remote.messages[1]?.parts[0]?.content).toEqual({
      $case: "data",
      value: { secret: "CRM" },
    })
  })

  test.each([
    ["fail", "remote_task_failed", "the disk is full"],
    ["reject", "remote_task_rejected", "not my job"],
  ])("fails if the task ends with %s", async (prompt, code, message) => {
    const remote = await agent()
    const { controls } = begin(interpreter, chartOf(remote), services(), { prompt })
    expect(await controls.result).toMatchObject({
      status: "failed",
      error: { code, message: expect.stringContaining(message) },
    })
  })

  test("stores structured data of the response under its outputKey", async () => {
    const remote = await agent()
    const { controls } = begin(
      interpreter,
      chartOf(remote, { output: "data", outputKey: "found" }),
      services(),
      { prompt: "data" },
    )
    expect(await controls.result).toMatchObject({ state: { found: { owls: 3 } } })
  })

  test("cancels its task when the run is cancelled", async () => {
    const remote = await agent()
    const { controls } = begin(interpreter, chartOf(remote), services(), { prompt: "hold" })
    await remote.until(() => remote.messages.length === 1)
    await controls.give({ type: "cancel" })
    expect(await controls.result).toMatchObject({ status: "cancelled" })
    await remote.until(() => remote.cancelled.length === 1)
  })
})

describe("a remote agent", () => {
  test("works without streaming", async () => {
    const remote = await agent({ streaming: false })
    const { controls } = begin("run", chartOf(remote), services(), { prompt: "owls" })
    expect(await controls.result).toMatchObject({ status: "completed", text: "You said: owls" })
    expect(bodies(remote).slice(0, 2)).toEqual(["card", "SendMessage"])
  })

  test("supports A2A 0.3", async () => {
    const remote = await agent({
      version: "0.3",
      card: (_, url) => ({
        name: "helper",
        url: `${url}/rpc`,
        protocolVersion: "0.3.0",
        preferredTransport: "JSONRPC",
        capabilities: { streaming: true },
      }),
    })
    const { controls } = begin("run", chartOf(remote), services(), { prompt: "ask" })
    await controls.whenSettled()
    const [request] = controls.pending()
    expect(request).toMatchObject({ kind: "human", prompt: "Which color?" })
    await controls.give({ type: "answer", id: request?.id ?? "", value: "blue" })
    expect(await controls.result).toMatchObject({ status: "completed", text: "You said: blue" })
    expect(new Set(bodies(remote))).toEqual(new Set(["card", "message/stream", "tasks/get"]))
  })

  test("continues its conversation in the next run of a session", async () => {
    const remote = await agent()
    const runner = createRunner(services())
    const session = { appName: "desk", userId: "ann", sessionId: "s1" }
    for (const prompt of ["one", "two"]) {
      const run = runner.start(chartOf(remote), { prompt, session })
      expect(await run.result).toMatchObject({ status: "completed", state: {} })
    }
    const [first, second] = remote.messages
    expect(second?.contextId).toBe(first?.contextId)
  })

  test("can respond with a message instead of a task", async () => {
    const remote = await agent()
    const { controls } = begin("run", chartOf(remote), services(), { prompt: "message" })
    expect((await controls.result).text).toMatch(/^only words for /)
  })

  test("is called by parallel branches, and continues its conversation in each iteration of a loop", async () => {
    const remote = await agent()
    const chart = compileOrThrow({
      rootAgentId: "all",
      agents: [
        {
          type: "SequentialAgent",
          id: "all",
          subAgents: [{ agentId: "both" }, { agentId: "loop" }],
        },
        { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
        { type: "LoopAgent", id: "loop", subAgents: [{ agentId: "c" }], maxAgentLoopIterations: 2 },
        ...["a", "b", "c"].map((id) => ({
          type: "RemoteA2AAgent" as const,
          id,
          agentCard: remote.url,
          prompt: `I am ${id}`,
          outputKey: id,
        })),
      ],
    })
    const { controls } = begin("run", chart, services())
    expect(await controls.result).toMatchObject({
      state: { a: "You said: I am a", b: "You said: I am b", c: "You said: I am c" },
    })
    expect(remote.messages).toHaveLength(4)
    const ofLoop = remote.messages.slice(2).map(({ contextId }) => contextId)
    expect(new Set(ofLoop).size).toBe(1)
  })

  test("sends secrets in headers and masks them in errors", async () => {
    const remote = await agent({
      intercept(method, response) {
        if (method === "card") return false
        response.writeHead(400).end("the token swordfish is wrong")
        return true
      },
    })
    const http = createHttpServices({
      secrets: { read: () => "swordfish" },
    })
    closing.push(() => http.close())
    const chart = chartOf(remote, { headers: { authorization: "Bearer {{ $secret('CRM') }}" } })
    const { controls } = begin("run", chart, { http }, { prompt: "owls" })
    const { error } = await controls.result
    expect(error).toMatchObject({ code: "remote_call_failed", status: 400 })
    expect(error?.message).not.toContain("swordfish")
    expect(remote.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer swordfish",
      "Bearer swordfish",
    ])
  })

  test("refuses a card that names another host, unless the config sets the URL", async () => {
    const remote = await agent({
      card: (card) => ({
        ...card,
        supportedInterfaces: [
          { url: "http://evil.test/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        ],
      }),
    })
    const { controls } = begin("run", chartOf(remote), services(), { prompt: "owls" })
    expect(await controls.result).toMatchObject({
      error: { code: "agent_card_invalid", message: expect.stringContaining("http://evil.test") },
    })
    const trusted = begin("run", chartOf(remote, { url: `${remote.url}/rpc` }), services(), {
      prompt: "owls",
    })
    expect(await trusted.controls.result).toMatchObject({ status: "completed" })
  })

  test.each([
    [
      "has no card",
      { intercept: (_: string, response) => !!response.writeHead(404).end() },
      "agent_card_invalid",
    ],
    ["has an empty card", { card: () => ({}) }, "agent_card_invalid"],
    [
      "only supports gRPC",
      {
        card: () => ({
          supportedInterfaces: [
            { url: "http://127.0.0.1", protocolBinding: "GRPC", protocolVersion: "1.0" },
          ],
        }),
      },
      "a2a_version_unsupported",
    ],
  ] as const satisfies readonly (readonly [string, A2aAgentOptions, string])[])(
    "fails if the server %s",
    async (_, options, code) => {
      const remote = await agent(options)
      const { controls } = begin("run", chartOf(remote), services(), { prompt: "owls" })
      expect(await controls.result).toMatchObject({ status: "failed", error: { code } })
    },
  )

  test("retries failed requests and sends the message once", async () => {
    let failures = 2
    const remote = await agent({
      intercept(method, response) {
        if (method !== "SendStreamingMessage" || failures-- <= 0) return false
        response.writeHead(503).end()
        return true
      },
    })
    const chart = chartOf(remote, {
      activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "1ms" } },
    })
    const { controls, events } = begin("run", chart, services(), { prompt: "owls" })
    expect(await controls.result).toMatchObject({ status: "completed" })
    expect(events.filter(({ type }) => type === "retry.scheduled")).toHaveLength(2)
    expect(remote.messages).toHaveLength(1)
    // Before the message is sent again, the agent is asked whether it has a task with this message.
    expect(bodies(remote).filter((method) => method === "ListTasks")).toHaveLength(2)
  })

  test("continues the task after its server was restarted", async () => {
    const remote = await agent()
    const chart = chartOf(remote, {
      activityConfig: { retryPolicy: { maximumAttempts: 50, initialInterval: "20ms" } },
    })
    const { controls } = begin("run", chart, services(), { prompt: "ask" })
    await controls.whenSettled()
    const [request] = controls.pending()
    await remote.kill()
    await controls.give({ type: "answer", id: request?.id ?? "", value: "blue" })
    await remote.restart()
    expect(await controls.result).toMatchObject({ status: "completed", text: "You said: blue" })
    expect(remote.messages).toHaveLength(2)
  })

  test("fails if its task takes longer than maxDuration, and cancels the task", async () => {
    const remote = await agent()
    const { controls } = begin("run", chartOf(remote, { maxDuration: "300ms" }), services(), {
      prompt: "hold",
    })
    expect(await controls.result).toMatchObject({ error: { code: "deadline_passed" } })
    await remote.until(() => remote.cancelled.length === 1)
  })
})
