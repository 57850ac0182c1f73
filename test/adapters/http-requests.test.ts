import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createHttpServices, type HttpServices } from "../../src/adapters/http/index.js"
import { type ScriptedService, startScriptedService } from "../../src/adapters/scripted/index.js"
import { modelRequest, noOptions, toolRequest } from "./sample-requests.js"

let service: ScriptedService
let http: HttpServices

beforeEach(async () => {
  service = await startScriptedService({
    llm: { writer: [{ content: "ok", exitFlow: true, repeat: true }] },
    tools: {
      find: [{ found: 1 }],
      count: [{ json: 2 }],
      motd: [{ text: "hello there" }],
      port: [{ text: "8080" }],
      sloppy: [{ text: '{"a": 1}' }],
      quiet: [{ httpStatus: 204 }],
    },
  })
  http = createHttpServices({ dispatcher: service.dispatcher() })
})

afterEach(async () => {
  await http.close()
  await service.close()
})

describe("a model call over HTTP", () => {
  test("sends messages, tools and state, and returns the JSON of the response", async () => {
    const state = { topic: "bees" }
    expect(
      await http.model.call(modelRequest("http://llm.test/writer", { state }), noOptions),
    ).toEqual({ content: "ok", exitFlow: true })
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        url: "http://llm.test/writer",
        headers: { "content-type": "application/json", "idempotency-key": "run-1/writer#1" },
        body: { messages: [{ role: "user", content: "go" }], tools: [], state },
      },
    ])
  })

  test("also sends the fields of the endpoint's body, which cannot replace the messages", async () => {
    const body = {
      model: "{{ state.model }}",
      temperature: "{{ state.heat }}",
      label: "for {{ state.model }}",
      messages: "mine",
      deep: [{ on: "{{ context.on }}" }],
    }
    const request = modelRequest(
      { url: "http://llm.test/writer", method: "PUT", body },
      { state: { model: "m-7", heat: 0.5 }, context: { on: true } },
    )
    await http.model.call(request, noOptions)
    expect(service.requests[0]).toMatchObject({
      method: "PUT",
      body: {
        model: "m-7",
        temperature: 0.5,
        label: "for m-7",
        messages: [{ role: "user", content: "go" }],
        deep: [{ on: true }],
      },
    })
  })

  test("sends the fields of the object that a body template returns", async () => {
    const endpoint = { url: "http://llm.test/writer", method: "POST", body: "{{ state.extra }}" }
    const state = { extra: { model: "m-7", options: { heat: 0.5 } } }
    await http.model.call(modelRequest(endpoint, { state }), noOptions)
    expect(service.requests[0]).toMatchObject({
      body: { model: "m-7", options: { heat: 0.5 }, messages: [{ role: "user", content: "go" }] },
    })
  })

  test("fails without a request if the body template does not return an object", async () => {
    const endpoint = { url: "http://llm.test/writer", method: "POST", body: "{{ state.extra }}" }
    await expect(
      http.model.call(modelRequest(endpoint, { state: { extra: [1] } }), noOptions),
    ).rejects.toMatchObject({
      code: "template_failed",
      message: expect.stringContaining("the template must return an object, not a list"),
    })
    expect(service.requests).toEqual([])
  })

  test("sends headers that are objects as ASCII JSON with filled templates", async () => {
    const endpoint = {
      url: "http://llm.test/writer",
      method: "POST",
      headers: { "X-Meta": { tenant: "{{ state.tenant }}", tags: ["a", 1] }, "X-Plain": "7" },
    }
    const state = { tenant: 'Å "quoted"' }
    await http.model.call(modelRequest(endpoint, { state }), noOptions)
    const { headers } = service.requests[0] ?? {}
    expect(headers?.["x-meta"]).toBe('{"tenant":"\\u00c5 \\"quoted\\"","tags":["a",1]}')
    expect(headers?.["x-plain"]).toBe("7")
  })

  test("uses the endpoint that endpointOf returns, and sends the name of the model", async () => {
    const named = createHttpServices({
      dispatcher: service.dispatcher(),
      endpointOf: ({ agent }) => ({ url: `http://llm.test/${agent}`, method: "POST" }),
    })
    await named.model.call({ ...modelRequest(""), endpoint: null, model: "large" }, noOptions)
    expect(service.requests[0]).toMatchObject({
      url: "http://llm.test/writer",
      body: { model: "large" },
    })
  })

  test("fails with the name of the agent if no URL is configured", async () => {
    await expect(
      http.model.call({ ...modelRequest(""), endpoint: null }, noOptions),
    ).rejects.toMatchObject({
      code: "service_missing",
      message:
        'agent "writer" has no URL to call. Set httpConfig.url in the config, or register a service in the options of the runner: { models: { NAME: service } } or { tools: { NAME: service } }',
    })
  })

  test("fills the templates of headers, and always sends its own idempotency key, encoded as ASCII", async () => {
    const headers = {
      "X-Tenant": "{{ state.tenant }}",
      "Content-Type": "application/vnd.acme+json",
      "Idempotency-Key": "always-the-same",
    }
    await http.model.call(
      modelRequest(
        { url: "http://llm.test/writer", method: "POST", headers },
        { state: { tenant: "acme" }, idempotencyKey: "läufe/✓#1" },
      ),
      noOptions,
    )
    expect(service.requests[0]?.headers).toMatchObject({
      "x-tenant": "acme",
      "content-type": "application/vnd.acme+json",
      "idempotency-key": "l%C3%A4ufe/%E2%9C%93#1",
    })
  })
})

describe("a tool call over HTTP", () => {
  test("sends the name of the tool, the arguments, the state and the context", async () => {
    const request = toolRequest(
      { url: "http://tools.test/find", method: "POST", body: { fixed: "{{ state.user }}" } },
      { arguments: { seat: "4A" }, state: { user: "u1" }, grantedSecret: "calendar" },
    )
    expect(await http.tool.call(request, noOptions)).toEqual({ found: 1 })
    expect(service.requests[0]).toMatchObject({
      headers: { "idempotency-key": "run-1/writer/find#1" },
      body: {
        fixed: "u1",
        tool_name: "find",
        arguments: { seat: "4A" },
        session_state: { user: "u1" },
        context: {
          call_id: "call_1",
          run_id: "run-1",
          agent_id: "writer",
          granted_secret: "calendar",
        },
      },
    })
  })

  test.each(["GET", "DELETE"])(
    "with the method %s sends its arguments in the query and no body",
    async (method) => {
      const args = { q: "a b&c", n: 2, list: [1, "x"], none: null, tenant: "evil", "odd key": "1" }
      await http.tool.call(
        toolRequest({ url: "http://tools.test/find?tenant=acme", method }, { arguments: args }),
        noOptions,
      )
      expect(service.requests[0]).toMatchObject({
        method,
        body: null,
        query: {
          tenant: "acme",
          q: "a b&c",
          n: "2",
          list: '[1,"x"]',
          none: "null",
          "odd key": "1",
        },
      })
      expect(service.requests[0]?.url).toBe(
        "http://tools.test/find?tenant=acme&q=a%20b%26c&n=2&list=%5B1%2C%22x%22%5D&none=null&odd%20key=1",
      )
    },
  )

  test.each([
    ["count", 2],
    ["motd", "hello there"],
    ["port", "8080"],
    ["sloppy", { a: 1 }],
    ["quiet", ""],
  ])("to the tool %s returns %j", async (tool, answer) => {
    expect(await http.tool.call(toolRequest(`http://tools.test/${tool}`), noOptions)).toEqual(
      answer,
    )
  })

  test("with the method GET does not read the state", async () => {
    const request: object = Object.defineProperty(
      { ...toolRequest({ url: "http://tools.test/find", method: "GET" }) },
      "state",
      {
        get: () => {
          throw new Error("the state was read")
        },
      },
    )
    expect(await http.tool.call(request as ReturnType<typeof toolRequest>, noOptions)).toEqual({
      found: 1,
    })
  })
})

test("a response keeps keys such as __proto__ as data", async () => {
  const text = '{"content":"x","toolCalls":[{"function_args":{"__proto__":{"a":1}}}]}'
  const odd = await startScriptedService({ llm: { writer: [{ malformed: text }] } })
  const direct = createHttpServices()
  const answer = await direct.model.call(modelRequest(`${odd.url}/writer`), noOptions)
  expect(JSON.stringify(answer)).toBe(text)
  await direct.close()
  await odd.close()
})
