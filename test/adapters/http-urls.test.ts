import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  createHttpServices,
  type HttpServices,
  secretsFromObject,
} from "../../src/adapters/http/index.js"
import { type ScriptedService, startScriptedService } from "../../src/adapters/scripted/index.js"
import { modelRequest, noOptions } from "./sample-requests.js"

let service: ScriptedService
let strict: HttpServices
let open: HttpServices

beforeAll(async () => {
  service = await startScriptedService({
    llm: {
      writer: [{ content: "ok", repeat: true }],
      broken: [{ httpStatus: 500, repeat: true }],
    },
  })
  const shared = {
    dispatcher: service.dispatcher(),
    secrets: secretsFromObject({ user: "me", password: "pass/word@1" }),
  }
  strict = createHttpServices(shared)
  open = createHttpServices({ ...shared, allowTemplateHosts: true })
})

beforeEach(() => service.reset())
afterAll(() => service.close())

const call = (
  http: HttpServices,
  url: string,
  state: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<unknown> =>
  http.model.call(modelRequest({ url, method: "POST", headers }, { state }), noOptions)

describe("template values in URLs", () => {
  test.each([
    [
      "http://llm.test/writer/{{ state.x }}?q={{ state.y }}",
      { x: "a/b c", y: "x&y=1" },
      "http://llm.test/writer/a%2Fb%20c?q=x%26y%3D1",
    ],
    [
      "http://llm.test/writer/{{ state.x }}",
      { x: "../../admin" },
      "http://llm.test/writer/..%2F..%2Fadmin",
    ],
    ["http://llm.test/writer/{{ state.x }}", { x: "%2e%2e" }, "http://llm.test/writer/%252e%252e"],
    [
      "http://llm.test/writer/{{ state.x }}",
      { x: "a?b#c\\d" },
      "http://llm.test/writer/a%3Fb%23c%5Cd",
    ],
    ["http://llm.test/writer/v{{ state.x }}", { x: ".." }, "http://llm.test/writer/v.."],
    ["http://llm.test/writer/{{ state.x }}", { x: "\uD800" }, "http://llm.test/writer/%EF%BF%BD"],
    [
      "http://llm.test/writer?x={{ state.x }}",
      { x: [1, "ü"] },
      "http://llm.test/writer?x=%5B1%2C%22%C3%BC%22%5D",
    ],
    ["https://llm.test:8443/writer/{{ state.x }}/", { x: 7 }, "https://llm.test:8443/writer/7/"],
  ])("%s with %j cannot change other parts of the URL", async (url, state, requested) => {
    await call(strict, url, state)
    expect(service.requests.map((request) => request.url)).toEqual([requested])
  })
})

describe("templates in URLs that are refused", () => {
  test.each([
    ["http://{{ state.x }}/writer", { x: "evil.test" }, "host_refused"],
    ["http://llm.test{{ state.x }}/writer", { x: ".evil.test" }, "host_refused"],
    ["http://llm.test{{ state.x }}", { x: "" }, "host_refused"],
    ["http://llm.test:{{ state.x }}/writer", { x: 81 }, "host_refused"],
    ["http://me@{{ state.x }}/writer", { x: "evil.test" }, "host_refused"],
    ["{{ state.x }}/writer", { x: "http://evil.test" }, "host_refused"],
    ["{{ state.x }}://llm.test/writer", { x: "https" }, "host_refused"],
    ["http:/{{ state.x }}/writer", { x: "evil.test" }, "host_refused"],
    ["http:{{ state.x }}", { x: "evil.test" }, "host_refused"],
    ["http:\\\\{{ state.x }}/writer", { x: "evil.test" }, "host_refused"],
    ["file:///etc/{{ state.x }}", { x: "passwd" }, "host_refused"],
    ["http://llm.test/writer/{{ state.x }}/delete", { x: ".." }, "template_failed"],
    ["http://llm.test/writer/.{{ state.x }}", { x: "." }, "template_failed"],
    ["http://llm.test/writer/%2e{{ state.x }}?q=1", { x: "." }, "template_failed"],
    ["http://llm.test/writer/{{ state.x }}{{ state.x }}", { x: "." }, "template_failed"],
    ["not a url/{{ state.x }}", { x: "y" }, "template_failed"],
    ["http://llm.test/writer/{{ state.missing }}", {}, "template_failed"],
    ["http://llm.test/writer/{{ state. }}", {}, "template_refused"],
  ])("%s with %j is refused before any request", async (url, state, code) => {
    const error = await call(strict, url, state).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: "CallFailedError",
      failure: { code, retryable: false, message: expect.stringMatching(/^agent "writer", url: /) },
    })
    expect(service.requests).toEqual([])
  })

  test("a Host header from the state is refused, and a Host header from the config is sent", async () => {
    await expect(
      call(strict, "http://llm.test/writer", { x: "evil.test" }, { Host: "{{ state.x }}" }),
    ).rejects.toMatchObject({ code: "host_refused" })
    await call(strict, "http://llm.test/writer", {}, { Host: "virtual.test" })
    expect(service.requests[0]?.url).toBe("http://virtual.test/writer")
  })
})

describe("URLs with allowTemplateHosts", () => {
  test.each([
    ["http://{{ state.x }}/writer", "eu.llm.test:8080", "http://eu.llm.test:8080/writer"],
    [
      "{{ state.x }}/writer/{{ state.x }}",
      "https://eu.llm.test/base",
      "https://eu.llm.test/base/writer/https%3A%2F%2Feu.llm.test%2Fbase",
    ],
  ])("the template %s accepts the value %s", async (url, x, requested) => {
    await call(open, url, { x })
    expect(service.requests[0]?.url).toBe(requested)
  })

  test("a scheme other than http and https is still refused", async () => {
    await expect(call(open, "{{ state.x }}", { x: "file:///etc/passwd" })).rejects.toMatchObject({
      code: "host_refused",
    })
  })
})

test("the user and password of a URL are sent as basic authentication and removed from errors", async () => {
  const url = "http://{{ $secret('user') }}:{{ $secret('password') }}@llm.test/writer"
  await call(strict, url)
  expect(service.requests[0]).toMatchObject({
    url: "http://llm.test/writer",
    headers: { authorization: `Basic ${Buffer.from("me:pass/word@1").toString("base64")}` },
  })
  await expect(call(strict, url.replace(/writer$/, "broken"))).rejects.toMatchObject({
    message: expect.stringContaining("POST http://llm.test/broken answered 500"),
  })
})

describe("headers that are refused", () => {
  test.each([
    ["a line break", "X-A", "one\r\nX-Admin: true"],
    ["a lone line feed", "X-A", "one\nX-Admin: true"],
    ["characters beyond Latin-1", "X-A", "日本"],
    ["a control character", "X-A", "a\u0000b"],
    ["the name of a header that the client sets", "Content-Length", "3"],
    ["the lower-case name of a header that the client sets", "transfer-encoding", "chunked"],
    ["an invalid name", "X A", "x"],
  ])("a header with %s is refused, and the error contains its name", async (_, name, value) => {
    await expect(
      call(strict, "http://llm.test/writer", { value }, { [name]: "{{ state.value }}" }),
    ).rejects.toMatchObject({
      failure: {
        code: "header_refused",
        retryable: false,
        message: expect.stringContaining(`agent "writer", headers.${name}: `),
      },
    })
    expect(service.requests).toEqual([])
  })
})
