import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import type { InputRequests, ServerContext } from "@modelcontextprotocol/server"
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, test } from "vitest"
import { callWithForms } from "../../../src/adapters/tool/mcp/elicitation.js"
import type { TaskRequests } from "../../../src/adapters/tool/mcp/follow-task.js"
import { mcpToolset } from "../../../src/adapters/tool/mcp/index.js"
import type { McpToolsetOptions } from "../../../src/adapters/tool/mcp/index.js"
import type { HostContext } from "../../../src/runtime/host/host-function.js"
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
import { simulatedClock } from "../../support/simulated-clock.js"

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

const sizeForm = inputRequired.elicit({
  message: "Which table?",
  requestedSchema: {
    type: "object",
    properties: {
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 8 },
      inside: { type: "boolean" },
    },
    required: ["seats"],
  },
})
const nameForm = inputRequired.elicit({
  message: "In which name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
})
/** A state that is only returned unchanged if the client neither reads nor normalizes it. */
const firstState = ' {"b":1,"a":"é\\u00e9 %20+="}\n'

/** A server whose tool needs two forms, one after the other, with the requests that it received. */
async function tableServer(first: InputRequests = { size: sizeForm }) {
  const received: {
    readonly key: unknown
    readonly state: unknown
    readonly responses: unknown
  }[] = []
  const reserved: unknown[] = []
  const reserve = async (_args: unknown, { mcpReq }: ServerContext) => {
    const state = mcpReq.requestState()
    const responses = mcpReq.inputResponses
    received.push({ key: mcpReq._meta?.["agent-statecharts/idempotency-key"], state, responses })
    if (state === undefined)
      return inputRequired({ inputRequests: first, requestState: firstState })
    const { size } = (responses ?? {}) as Record<string, { action: string; content?: unknown }>
    if (size !== undefined) {
      if (size.action === "accept" && size.content === undefined)
        return { content: [], structuredContent: { reserved: "nothing: accepted" } }
      if (size.action !== "accept")
        return { content: [], structuredContent: { reserved: `nothing: ${size.action}` } }
      const requestState = JSON.stringify(size.content)
      return inputRequired({ inputRequests: { name: nameForm }, requestState })
    }
    reserved.push([state, responses])
    return { content: [], structuredContent: { reserved: state } }
  }
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "tables", version: "1" })
    const outputSchema = { type: "object", properties: { reserved: { type: "string" } } } as const
    server.registerTool(
      "reserve",
      { inputSchema: anyObject, outputSchema: standard(outputSchema) },
      reserve,
    )
    return server
  })
  const server = createServer(getRequestListener((request) => handler.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const toolset = (options: McpToolsetOptions = {}) => {
    const desk = mcpToolset({ url }, { timeoutMs: 10_000, ...options })
    closing.push(() => desk.close())
    return { desk }
  }
  return { received, reserved, toolset, url }
}

/** Returns a schema in the format of the server package, without validation. */
const standard = (schema: object) => ({
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
})
const anyObject = standard({ type: "object" })

const model = () => scriptedModel({ clerk: [calls("reserve"), { content: "done" }] })

/** The context of a function without a run. It rejects all questions. */
const alone = (): HostContext => {
  const context: Pick<HostContext, "isReplaying" | "signal" | "step" | "ask"> = {
    isReplaying: false,
    signal: new AbortController().signal,
    step: async (_name, action) => action(),
    ask: () => Promise.reject(new Error("asked")),
  }
  return context as HostContext
}

const onlyRequest = (run: RunControls) => {
  const [request, ...others] = run.pending()
  if (request === undefined || others.length > 0)
    throw new Error(`${others.length} requests besides ${request?.id}`)
  return request
}

const unexpected = () => Promise.reject(new Error("no task was created"))
const noTasks: TaskRequests = { get: unexpected, update: unexpected, cancel: unexpected }

describe("a tool of an MCP server that needs a form", () => {
  test.each(interpreters)("opens a request for each form (%s)", async (interpreter) => {
    const { received, reserved, toolset, url } = await tableServer()
    const { asked, models } = model()
    const { rested, controls } = await play(interpreter, chart, { models, services: toolset() })
    expect(rested.status).toBe("waiting")
    const request = onlyRequest(controls)
    expect(request).toMatchObject({
      kind: "human",
      agent: "clerk",
      prompt: "Which table?",
      details: { server: url, tool: "reserve" },
      answerSchema: { anyOf: [{ type: "object" }, { enum: ["decline", "cancel"] }] },
    })
    for (const wrong of [{ seats: 9 }, { seats: "two" }, {}, "four", null])
      expect(() => controls.answer(request.id, wrong)).toThrow(/does not match its answerSchema/)
    expect(received).toHaveLength(1)
    controls.answer(request.id, { seats: 4, inside: true })
    await controls.whenSettled()
    expect(onlyRequest(controls).prompt).toBe("In which name?")
    controls.answer(onlyRequest(controls).id, { name: "Ada" })
    expect(await controls.result).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual({ reserved: '{"seats":4,"inside":true}' })
    expect(reserved).toHaveLength(1)
    expect(received).toEqual([
      { key: received[0]?.key, state: undefined, responses: undefined },
      {
        key: received[0]?.key,
        state: firstState,
        responses: { size: { action: "accept", content: { seats: 4, inside: true } } },
      },
      {
        key: received[0]?.key,
        state: '{"seats":4,"inside":true}',
        responses: { name: { action: "accept", content: { name: "Ada" } } },
      },
    ])
  })

  test("continues in another process with its state and its previous answers", async () => {
    const { received, reserved, toolset } = await tableServer()
    const { asked, models } = model()
    const answers = [{ seats: 2 }, { name: "Ada" }]
    let stored: Record<string, StoredRun> = {}
    const begin = () => {
      const journal = memoryJournal(stored)
      return { journal, runner: createRunner({ models, services: toolset(), journal }) }
    }
    let { journal, runner } = begin()
    let run: RunControls = runner.start(chart, { runId: "r" })
    for (const answer of answers) {
      expect((await run.whenSettled()).status).toBe("waiting")
      stored = JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>
      ;({ journal, runner } = begin())
      run = await runner.resume("r")
      run.answer(onlyRequest(run).id, answer)
    }
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    expect(received.map(({ state }) => state)).toEqual([undefined, firstState, '{"seats":2}'])
    expect(reserved).toHaveLength(1)
    expect(asked).toHaveLength(2)

    // The finished run is replayed without the server.
    stored = JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>
    expect(await (await begin().runner.resume("r")).result).toMatchObject({ text: "done" })
    expect(received).toHaveLength(3)
  })

  test.each(["decline", "cancel"])("sends %s if the person answers with it", async (answer) => {
    const { reserved, toolset } = await tableServer()
    const { asked, models } = model()
    const { controls } = await play("run", chart, { models, services: toolset() })
    controls.answer(onlyRequest(controls).id, answer)
    await controls.result
    expect(reserved).toEqual([])
    expect(toldByTools(asked)).toEqual({ reserved: `nothing: ${answer}` })
  })

  test.each([
    ["accept", "nothing: accepted"],
    ["decline", "nothing: decline"],
    ["cancel", "nothing: cancel"],
  ])(
    "opens a request for a web page that the person visits, and sends the answer %s",
    async (answer, told) => {
      const url = "https://pay.test/1?a=b"
      const {
        received,
        toolset,
        url: server,
      } = await tableServer({
        size: inputRequired.elicitUrl({ message: "Pay here.", url }),
      })
      const { asked, models } = model()
      const { controls } = await play("run", chart, { models, services: toolset() })
      const request = onlyRequest(controls)
      expect(request).toMatchObject({
        kind: "human",
        prompt: `Pay here.\n${url}`,
        details: { server, tool: "reserve", url },
      })
      expect(() => controls.answer(request.id, "paid")).toThrow(/does not match its answerSchema/)
      controls.answer(request.id, answer)
      await controls.result
      expect(received[1]?.responses).toEqual({ size: { action: answer } })
      expect(toldByTools(asked)).toEqual({ reserved: told })
    },
  )

  test("can be declined if no form matches its schema", async () => {
    const params = {
      message: "Which?",
      requestedSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } },
    }
    // The builder of the package refuses such a schema.
    const broken = { method: "elicitation/create", params } as InputRequests[string]
    const { toolset } = await tableServer({ size: broken })
    const { asked, models } = model()
    const { controls } = await play("run", chart, { models, services: toolset() })
    const { id } = onlyRequest(controls)
    expect(() => controls.answer(id, { a: "x" })).toThrow(/the JSON schema cannot be used/)
    controls.answer(id, "decline")
    await controls.result
    expect(toldByTools(asked)).toEqual({ reserved: "nothing: decline" })
  })

  test("sends cancel if the request expires", async () => {
    const { toolset } = await tableServer()
    const { asked, models } = model()
    const clock = simulatedClock()
    const services = toolset({ formExpiresInMs: 60_000 })
    const run = createRunner({ models, services, clock }).start(chart)
    await run.whenSettled()
    expect(onlyRequest(run).expiresAt).toBe(clock.now() + 60_000)
    await clock.runUntilIdle()
    await run.result
    expect(toldByTools(asked)).toEqual({ reserved: "nothing: cancel" })
  })

  test("is called again with its state if it needs no input", async () => {
    const { received, toolset } = await tableServer({})
    const { asked, models } = model()
    const { controls } = await play("run", chart, { models, services: toolset() })
    expect(await controls.result).toMatchObject({ status: "completed" })
    expect(received.map(({ state, responses }) => [state, responses])).toEqual([
      [undefined, undefined],
      [firstState, undefined],
    ])
    expect(toldByTools(asked)).toEqual({ reserved: firstState })
  })

  test("fails if it requires input more than 10 times", async () => {
    let sent = 0
    const context = { ...alone(), ask: async () => "decline" } as HostContext
    const send = async () => {
      sent++
      return { inputRequests: { size: sizeForm } }
    }
    const call = callWithForms(
      context,
      { name: "more", server: "s" },
      { send, secret: null, tasksOf: () => noTasks },
    )
    await expect(call).rejects.toThrow('"more" required input more than 10 times')
    expect(sent).toBe(11)
  })

  test.each([
    ["sampling/createMessage", { method: "sampling/createMessage", params: {} }],
    ["elicitation/create (mode url)", { method: "elicitation/create", params: { mode: "url" } }],
    [
      "elicitation/create (mode url)",
      {
        method: "elicitation/create",
        params: { mode: "url", message: "Pay.", url: "javascript:alert(1)" },
      },
    ],
    ["elicitation/create (mode form)", { method: "elicitation/create", params: {} }],
    ["undefined", null],
  ])("fails without a request if the server also sends %s", async (what, request) => {
    const inputRequests = { size: sizeForm, other: request }
    await expect(
      callWithForms(
        alone(),
        { name: "reserve", server: "s" },
        { send: async () => ({ inputRequests }), secret: null, tasksOf: () => noTasks },
      ),
    ).rejects.toThrow(`"reserve" sent the request "${what}"`)
  })

  test.each<[string, InputRequests, RegExp]>([
    [
      "a response of a model",
      {
        size: inputRequired.createMessage({
          messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
          maxTokens: 9,
        }),
      },
      /sampling/,
    ],
  ])("fails without a request if it needs %s", async (_what, first, message) => {
    const { toolset } = await tableServer(first)
    const { asked, models } = model()
    const { rested, controls } = await play("run", chart, { models, services: toolset() })
    expect(controls.pending()).toEqual([])
    expect(rested.status).toBe("completed")
    expect(toldByTools(asked)).toEqual({ error: expect.stringMatching(message) })
  })
})
