import { request } from "undici"
import { afterEach, describe, expect, test } from "vitest"
import {
  readScenario,
  type RequestRecord,
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from "../../src/adapters/scripted/index.js"

const services: ScriptedService[] = []

afterEach(async () => {
  for (const service of services.splice(0)) await service.close()
})

async function start(
  scenario: unknown,
  options?: ScriptedServiceOptions,
): Promise<ScriptedService> {
  const service = await startScriptedService(scenario, options)
  services.push(service)
  return service
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Makes a model call like an agent. */
const ask = (
  service: ScriptedService,
  path: string,
  said = "go",
  signal?: AbortSignal,
): Promise<Answer> =>
  post(
    `${service.url}${path}`,
    { messages: [{ role: "user", content: said }], tools: [], state: {} },
    signal,
  )

async function post(url: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const response = await request(url, {
    method: "POST",
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    text: await response.body.text(),
  }
}

describe("responses of the scripted service", () => {
  test("are sent in the order of the script, for each agent and each tool", async () => {
    const service = await start({
      llm: { a: [{ content: "one" }, { content: "two" }], b: [{ content: "three" }] },
      tools: { a: [{ n: 4 }] },
    })
    expect((await ask(service, "/a")).text).toBe('{"content":"one"}')
    expect((await ask(service, "/b")).text).toBe('{"content":"three"}')
    expect((await post(`${service.url}/a`, { tool_name: "a", arguments: {} })).text).toBe('{"n":4}')
    expect((await ask(service, "/a")).text).toBe('{"content":"two"}')
    expect(service.unused()).toEqual([])
    expect(service.exhausted).toEqual([])
  })

  test("are selected by idempotency key or tool name if agents and tools share a URL", async () => {
    const service = await start({
      llm: { a: [{ content: "one" }], b: [{ content: "two" }] },
      tools: { x: [{ n: 3 }], y: [{ n: 4 }] },
    })
    const url = `${service.url}/shared`
    const asks = async (key: string): Promise<string> => {
      const headers = { "content-type": "application/json", "idempotency-key": key }
      const response = await fetch(url, { method: "POST", headers, body: '{"messages":[]}' })
      return response.text()
    }
    expect(await asks("run/main/b#0")).toBe('{"content":"two"}')
    expect(await asks("run/main/each[1]/a#0")).toBe('{"content":"one"}')
    expect((await post(url, { tool_name: "y", arguments: {} })).text).toBe('{"n":4}')
    expect((await post(url, { tool_name: "x", arguments: {} })).text).toBe('{"n":3}')
  })

  test('with "for" are sent for the request whose last user message contains the text', async () => {
    const service = await start({
      llm: {
        a: [
          { content: "first" },
          { for: "cats", content: "meow" },
          { for: "dogs", content: "woof" },
          { content: "second" },
        ],
      },
    })
    const answers = await Promise.all([
      ask(service, "/a", "about dogs"),
      ask(service, "/a", "about cats"),
    ])
    expect(answers.map(({ text }) => text)).toEqual(['{"content":"woof"}', '{"content":"meow"}'])
    expect((await ask(service, "/a", "about birds")).text).toBe('{"content":"first"}')
    expect(service.unused()).toMatchObject([{ kind: "llm", id: "a", index: 3 }])
  })

  test('with "repeat" are sent any number of times', async () => {
    const service = await start({
      llm: { a: [{ content: "one" }, { content: "more", repeat: true }] },
    })
    const texts = []
    for (let n = 0; n < 4; n++) texts.push((await ask(service, "/a")).text)
    expect(texts).toEqual([
      '{"content":"one"}',
      '{"content":"more"}',
      '{"content":"more"}',
      '{"content":"more"}',
    ])
    expect(service.exhausted).toEqual([])
  })

  test("beyond the end of the script are errors, and the list exhausted contains them", async () => {
    const service = await start({ llm: { a: [{ content: "one" }] } })
    await ask(service, "/a")
    const { status, text } = await ask(service, "/a")
    expect(status).toBe(500)
    expect(JSON.parse(text)).toEqual({
      error: {
        code: "scenario_exhausted",
        message: 'the script has no response for call 2 of agent "a"; it has one response for it',
      },
    })
    expect((await post(`${service.url}/t`, {})).text).toContain(
      'the script has no response for call 1 of tool \\"t\\"; it has no responses for it',
    )
    expect(service.exhausted.map(({ kind, id, nth }) => ({ kind, id, nth }))).toEqual([
      { kind: "llm", id: "a", nth: 1 },
      { kind: "tool", id: "t", nth: 0 },
    ])
  })

  test("can be error statuses, malformed bodies, lost connections and large bodies", async () => {
    const service = await start({
      llm: {
        a: [
          { httpStatus: 503, headers: { "retry-after": "2" } },
          { httpStatus: 400, echoHeaders: true },
          { malformed: "<html>" },
          { reset: true },
          { hugeBytes: 200_000 },
          { httpStatus: 201, content: "made" },
        ],
      },
    })
    expect(await ask(service, "/a")).toMatchObject({ status: 503, headers: { "retry-after": "2" } })
    expect(JSON.parse((await ask(service, "/a?k=v")).text)).toMatchObject({
      error: { headers: { host: `127.0.0.1:${service.port}` }, url: `${service.url}/a?k=v` },
    })
    expect(await ask(service, "/a")).toMatchObject({ status: 200, text: "<html>" })
    await expect(ask(service, "/a")).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
    const huge = await ask(service, "/a")
    expect(huge.text).toHaveLength(200_000)
    expect(JSON.parse(huge.text)).toHaveProperty("content")
    expect(await ask(service, "/a")).toMatchObject({ status: 201, text: '{"content":"made"}' })
  })

  test("for tools can be plain text or any JSON value", async () => {
    const service = await start({
      tools: {
        t: [{ text: "hello" }, { json: 2 }, { json: null }, { pending: true, ticket: "T" }],
      },
    })
    const call = (): Promise<Answer> => post(`${service.url}/t`, {})
    expect(await call()).toMatchObject({
      text: "hello",
      headers: { "content-type": "text/plain; charset=utf-8" },
    })
    expect((await call()).text).toBe("2")
    expect((await call()).text).toBe("null")
    expect((await call()).text).toBe('{"pending":true,"ticket":"T"}')
  })
})

describe("the request log of the scripted service", () => {
  test("contains each request with its original URL, headers and body", async () => {
    const service = await start({
      llm: { writer: [{ content: "x" }] },
      tools: { find: [{ a: 1 }] },
    })
    await ask(service, "/v1/writer/a%2Fb%20c?q=x%26y%3D1")
    await request(`${service.url}/find?n=1&n=2`, {
      method: "GET",
      headers: { "X-Tenant": "acme" },
    }).then(({ body }) => body.dump())
    await expect
      .poll(() => service.requests.every(({ finishedAt }) => finishedAt !== null))
      .toBe(true)
    expect(service.requests).toMatchObject([
      {
        kind: "llm",
        id: "writer",
        nth: 0,
        method: "POST",
        url: `${service.url}/v1/writer/a%2Fb%20c?q=x%26y%3D1`,
        query: { q: "x&y=1" },
        body: { messages: [{ role: "user", content: "go" }] },
        status: 200,
        aborted: false,
      },
      {
        kind: "tool",
        id: "find",
        method: "GET",
        headers: { "x-tenant": "acme" },
        query: { n: "2" },
        body: null,
      },
    ])
  })

  test("marks aborted requests, whose responses count as used", async () => {
    const service = await start({
      llm: { a: [{ content: "late", delayMs: 60_000 }, { content: "next" }] },
    })
    const controller = new AbortController()
    service.onRequest(() => controller.abort())
    await expect(ask(service, "/a", "go", controller.signal)).rejects.toThrow()
    await expect.poll(() => service.requests[0]?.aborted).toBe(true)
    expect(service.inFlight).toEqual({ llm: 0, tool: 0, http: 0 })
    expect((await ask(service, "/a")).text).toBe('{"content":"next"}')
  })

  test("counts the requests in flight", async () => {
    const service = await start({
      llm: { a: [{ content: "x", delayMs: 20 }], b: [{ content: "y", delayMs: 20 }] },
    })
    await Promise.all([ask(service, "/a"), ask(service, "/b")])
    expect(service.maxInFlight).toEqual({ llm: 2, tool: 0, http: 0 })
    await expect.poll(() => service.inFlight).toEqual({ llm: 0, tool: 0, http: 0 })
  })

  test("calls listeners and writes a line for each request", async () => {
    const lines: string[] = []
    const heard: RequestRecord[] = []
    const service = await start(
      { llm: { a: [{ content: "x", repeat: true }] } },
      { log: (line) => lines.push(line) },
    )
    const stop = service.onRequest((record) => heard.push(record))
    await ask(service, "/a")
    stop()
    await ask(service, "/a")
    expect(heard).toMatchObject([{ id: "a", nth: 0 }])
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines[1]).toMatch(
      /^agent "a" call 2: POST http:\/\/127\.0\.0\.1:\d+\/a -> 200 after \d+ ms$/,
    )
  })

  test("is empty after a reset, and the script starts again", async () => {
    const service = await start({ llm: { a: [{ content: "one" }] } })
    await ask(service, "/a")
    service.reset()
    expect(service.requests).toEqual([])
    expect((await ask(service, "/a")).text).toBe('{"content":"one"}')
  })
})

describe("the dispatcher of the scripted service", () => {
  test("sends the requests for every origin to the service, with their original URLs", async () => {
    const service = await start({ llm: { a: [{ content: "x", repeat: true }] } })
    const dispatcher = service.dispatcher()
    for (const origin of [
      "http://llm.test",
      "https://api.example.com",
      "https://api.example.com:8443",
      "http://127.0.0.1:1",
    ]) {
      await request(`${origin}/a`, { method: "POST", body: '{"messages":[]}', dispatcher }).then(
        ({ body }) => body.dump(),
      )
    }
    expect(service.requests.map(({ url }) => url)).toEqual([
      "http://llm.test/a",
      "https://api.example.com/a",
      "https://api.example.com:8443/a",
      "http://127.0.0.1:1/a",
    ])
  })
})

describe("the scripted service", () => {
  test("listens on a free port, and fails with EADDRINUSE if a specified port is in use", async () => {
    const service = await start({})
    expect(service.url).toBe(`http://127.0.0.1:${service.port}`)
    await expect(startScriptedService({}, { port: service.port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    })
  })

  test("accepts a scenario that has already been read", async () => {
    const service = await start(readScenario({ llm: { a: [{ content: "x" }] } }, "demo.json"))
    expect((await ask(service, "/a")).text).toBe('{"content":"x"}')
  })

  test("does not change the global Request and Response", async () => {
    const { Request, Response } = globalThis
    await start({})
    expect(globalThis.Request).toBe(Request)
    expect(globalThis.Response).toBe(Response)
  })

  test("closes at once, even with a request in flight", async () => {
    const service = await startScriptedService({
      llm: { a: [{ content: "late", delayMs: 60_000 }] },
    })
    const call = ask(service, "/a").catch(() => "ended")
    await expect.poll(() => service.requests).toHaveLength(1)
    await service.close()
    expect(await call).toBe("ended")
  })
})
