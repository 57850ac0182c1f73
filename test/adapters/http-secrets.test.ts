import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createHttpServices, secretsFromObject } from "../../src/adapters/http/index.js"
import { createMask } from "../../src/adapters/http/secrets/mask-secrets.js"
import { type ScriptedService, startScriptedService } from "../../src/adapters/scripted/index.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { modelRequest, noOptions, toolRequest } from "./sample-requests.js"

const key = 'hush "9000"/ä+&'
const formsOf = (value: string): Record<string, string> => {
  const bytes = Buffer.from(value)
  return {
    raw: value,
    base64: bytes.toString("base64"),
    "base64 without padding": bytes.toString("base64").replace(/=+$/, ""),
    "base64 for URLs": bytes.toString("base64url"),
    "base64 of a header": Buffer.from(`user:${value}`).toString("base64"),
    "base64 of something longer": Buffer.from(`{"k":"${value}"}`).toString("base64"),
    hex: bytes.toString("hex"),
    "URL-encoded": encodeURIComponent(value),
    "URL-encoded in lower case": encodeURIComponent(value).replace(/%../g, (code) =>
      code.toLowerCase(),
    ),
    "form-encoded": new URLSearchParams({ k: value }).toString().slice(2),
    "JSON-escaped": JSON.stringify(value).slice(1, -1),
    "JSON-escaped twice": JSON.stringify(JSON.stringify(value)).slice(3, -3),
    "JSON-escaped to ASCII": JSON.stringify(value)
      .slice(1, -1)
      .replace("ä", "\\u00e4")
      .replace("/", "\\/"),
  }
}

/** Checks that a text does not contain the secret in any form. */
function expectNothingOf(secret: string, text: string): void {
  for (const [name, form] of Object.entries(formsOf(secret)))
    expect(text.includes(form), `${name} stands in ${text}`).toBe(false)
}

let service: ScriptedService
beforeEach(async () => {
  service = await startScriptedService({})
})
afterEach(() => service.close())

const withKey = (url: string): Parameters<typeof modelRequest>[0] => ({
  url,
  method: "POST",
  headers: { "X-Api-Key": "{{ $encodeUrlComponent($secret('key')) }}" },
})

async function echoing(
  entry: object,
): Promise<{ readonly http: ReturnType<typeof createHttpServices>; readonly url: string }> {
  await service.close()
  service = await startScriptedService({ llm: { writer: [entry] }, tools: { find: [entry] } })
  const http = createHttpServices({
    dispatcher: service.dispatcher(),
    secrets: secretsFromObject({ key }),
  })
  return { http, url: "http://llm.test" }
}

describe("a secret that a service returns", () => {
  test.each(Object.entries(formsOf(key)))("is masked in a JSON response (%s)", async (_, form) => {
    const { http, url } = await echoing({
      content: `your key is ${form}!`,
      [`k${form}`]: [{ deep: form }],
    })
    const answer = JSON.stringify(
      await http.model.call(modelRequest(withKey(`${url}/writer`)), noOptions),
    )
    expectNothingOf(key, answer)
    expect(answer).toContain("[secret key]")
  })

  test.each(Object.entries(formsOf(key)))("is masked in a text response (%s)", async (_, form) => {
    const { http, url } = await echoing({ text: `<${form}>` })
    const answer = String(await http.tool.call(toolRequest(withKey(`${url}/find`)), noOptions))
    expectNothingOf(key, answer)
    expect(answer).toContain("[secret key]")
  })

  test("is masked in an error that contains the headers and the URL", async () => {
    const { http, url } = await echoing({ httpStatus: 500, echoHeaders: true })
    const error = await http.model
      .call(modelRequest(withKey(`${url}/writer?k={{ $secret('key') }}`)), noOptions)
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(CallFailedError)
    const { failure, message, cause, stack } = error as CallFailedError
    for (const text of [failure.message, message, String(cause), String(stack)])
      expectNothingOf(key, text)
    expect(failure.message).toContain("POST http://llm.test/writer?k=[secret key] answered 500")
  })

  test("is masked in the error of a malformed response", async () => {
    const { http, url } = await echoing({ malformed: `<html>${key}</html>` })
    await expect(
      http.model.call(modelRequest(withKey(`${url}/writer`)), noOptions),
    ).rejects.toMatchObject({ message: expect.stringContaining("<html>[secret key]</html>") })
  })

  test("is masked in the target of a redirect", async () => {
    const { http, url } = await echoing({
      httpStatus: 302,
      headers: { location: `http://elsewhere.test/?k=${encodeURIComponent(key)}` },
    })
    await expect(
      http.model.call(modelRequest(withKey(`${url}/writer`)), noOptions),
    ).rejects.toMatchObject({
      message: expect.stringContaining("http://elsewhere.test/?k=[secret key];"),
    })
  })

  test("is masked if an expression has changed it", async () => {
    const { http, url } = await echoing({ httpStatus: 401, echoHeaders: true })
    const headers = { a: "{{ $uppercase($substring($encodeUrlComponent($secret('key')), 0, 6)) }}" }
    const error = await http.model
      .call(modelRequest({ url: `${url}/writer`, method: "POST", headers }), noOptions)
      .catch((caught: unknown) => caught)
    expect((error as Error).message).toContain('"a":"[secret key]"')
  })
})

describe("errors before a request", () => {
  const call = (headers: Record<string, string>, body = {}): Promise<unknown> =>
    createHttpServices({
      dispatcher: service.dispatcher(),
      secrets: secretsFromObject({ key, lines: "one\ntwo", empty: "" }),
    }).model.call(
      modelRequest({ url: "http://llm.test/writer", method: "POST", headers, body }),
      noOptions,
    )

  test.each(["nowhere", "empty", "__proto__"])(
    'the error of a missing secret "%s" contains the agent, the field and the name of the secret',
    async (name) => {
      await expect(
        call({ Authorization: `Bearer {{ $secret('${name}') }}` }),
      ).rejects.toMatchObject({
        failure: {
          code: "secret_missing",
          retryable: false,
          message: expect.stringMatching(
            new RegExp(
              `^agent "writer", headers\\.Authorization: .*the secret "${name}" is missing or empty`,
            ),
          ),
        },
      })
      expect(service.requests).toEqual([])
    },
  )

  test("the error of a failed template does not contain its secret", async () => {
    const error = (await call({}, { n: "{{ $number($secret('key')) }}" }).catch(
      (caught: unknown) => caught,
    )) as CallFailedError
    expect(error.failure).toMatchObject({
      code: "template_failed",
      message: "agent \"writer\", body: {{ $number($secret('key')) }} failed (JSONata D3030)",
    })
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      expectNothingOf(key, `${cause.message} ${JSON.stringify(cause)}`)
  })

  test("a secret with a line break is refused with an error that does not contain it", async () => {
    const error = (await call({ A: "{{ $secret('lines') }}" }).catch(
      (caught: unknown) => caught,
    )) as CallFailedError
    expect(error.failure.code).toBe("header_refused")
    expect(error.message).not.toContain("two")
  })

  test("a secret store that cannot be read is a retryable failure", async () => {
    const http = createHttpServices({
      secrets: { read: () => Promise.reject(new Error(`vault said no to ${key}`)) },
    })
    await expect(
      http.model.call(modelRequest(withKey("http://llm.test/writer")), noOptions),
    ).rejects.toMatchObject({
      failure: {
        code: "secret_missing",
        retryable: true,
        message: 'agent "writer", secrets: the secret "key" could not be read',
      },
    })
  })
})

describe("the masking of secrets", () => {
  const mask = createMask([
    { value: "secret", label: "[secret a]" },
    { value: "secret-longer", label: "[secret b]" },
    { value: "7x", label: "[secret c]" },
    { value: "12345678", label: "[secret d]" },
  ])

  test("the longest matching secret is masked, and labels are not masked again", () => {
    expect(mask.text("secret-longer secret")).toBe("[secret b] [secret a]")
  })

  test("secrets with less than four characters are masked only as whole words", () => {
    expect(mask.text("7x, 17x, 7xy, (7x)")).toBe("[secret c], 17x, 7xy, ([secret c])")
  })

  test("numbers and keys are masked, and other values keep their types", () => {
    expect(mask.value({ n: 12345678, m: 1234, b: true, none: null, "a secret key": [] })).toEqual({
      n: "[secret d]",
      m: 1234,
      b: true,
      none: null,
      "a [secret a] key": [],
    })
  })

  test("keys such as __proto__ are kept as data", () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":"secret"}}')
    expect(JSON.stringify(mask.value(value))).toBe('{"__proto__":{"x":"[secret a]"}}')
  })
})
