import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createSocketServer, type AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterEach, describe, expect, test } from "vitest"
import {
  createHttpServices,
  type HttpServices,
  type HttpServicesOptions,
} from "../../src/adapters/http/index.js"
import { startScriptedService } from "../../src/adapters/scripted/index.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { modelRequest, noOptions, toolRequest } from "./sample-requests.js"

const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

function services(options: HttpServicesOptions = {}): HttpServices {
  const http = createHttpServices(options)
  opened.push(http)
  return http
}

/** Starts a server for responses that a scenario cannot describe. */
async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  opened.push({ close: () => closed(server) })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/writer`
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function failureOf(call: Promise<unknown>): Promise<CallFailedError["failure"]> {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (error instanceof CallFailedError) return error.failure
  throw error ?? new Error("the call did not fail")
}

const scripted = async (entry: object): Promise<string> => {
  const service = await startScriptedService({ llm: { writer: [entry] } })
  opened.push(service)
  return `${service.url}/writer`
}

describe("failed connections", () => {
  test("a refused connection is a retryable failure", async () => {
    const failure = await failureOf(
      services().model.call(modelRequest("http://127.0.0.1:1/writer", { attempt: 2 }), noOptions),
    )
    expect(failure).toEqual({
      code: "service_unreachable",
      message:
        'agent "writer": POST http://127.0.0.1:1/writer failed: the connection was refused; is the service running, and is the port correct? (ECONNREFUSED) (attempt 2)',
      retryable: true,
    })
  })

  test("a host name that does not resolve is a retryable failure", async () => {
    const failure = await failureOf(
      services().tool.call(toolRequest("http://nowhere.invalid/find"), noOptions),
    )
    expect(failure).toMatchObject({
      code: "service_unreachable",
      retryable: true,
      message: expect.stringMatching(
        /^tool "find" of agent "writer": POST http:\/\/nowhere\.invalid\/find failed: the host name could not be resolved/,
      ),
    })
  })

  test("an https request to a service without TLS is a retryable failure", async () => {
    const url = (await serverThat((_, response) => response.end())).replace("http:", "https:")
    expect(await failureOf(services().model.call(modelRequest(url), noOptions))).toMatchObject({
      code: "service_unreachable",
      retryable: true,
      message: expect.stringContaining("the TLS connection failed"),
    })
  })

  test("a reset connection is a retryable failure", async () => {
    expect(
      await failureOf(
        services().model.call(modelRequest(await scripted({ reset: true })), noOptions),
      ),
    ).toMatchObject({
      code: "service_unreachable",
      retryable: true,
      message: expect.stringContaining("closed before the response was complete"),
    })
  })

  test("an incomplete response is a retryable failure", async () => {
    const url = await serverThat((_, response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write('{"content":')
      setImmediate(() => response.destroy())
    })
    expect(await failureOf(services().model.call(modelRequest(url), noOptions))).toMatchObject({
      code: "service_unreachable",
      retryable: true,
    })
  })

  test("a call with a closed client fails and is not retryable", async () => {
    const http = services()
    await http.close()
    expect(
      await failureOf(http.model.call(modelRequest("http://127.0.0.1:1/"), noOptions)),
    ).toMatchObject({
      code: "service_unreachable",
      retryable: false,
      message: expect.stringContaining("HTTP client is closed"),
    })
  })
})

describe("responses with an error status", () => {
  test.each([
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [401, false],
    [404, false],
    [422, false],
  ])("a response with status %i is a failure with retryable = %s", async (status, retryable) => {
    const failure = await failureOf(
      services().model.call(modelRequest(await scripted({ httpStatus: status })), noOptions),
    )
    expect(failure).toMatchObject({ code: "model_call_failed", status, retryable })
    expect(failure.message).toMatch(
      new RegExp(
        `^agent "writer": POST http://127\\.0\\.0\\.1:\\d+/writer answered ${status} \\(attempt 1\\): \\{"error"`,
      ),
    )
  })

  test.each([
    [400, {}, /\. Compare the request with the API of the service\.$/],
    [401, {}, /\. The service does not accept the credentials\. Check the API key/],
    [403, {}, /\. The credentials do not permit this call/],
    [404, {}, /\. Check the URL\. For a model server, also check the name of the model\.$/],
    [418, {}, /\. Compare the request with the API of the service\.$/],
    [429, {}, /\(attempt 1\).* limits the number of calls.* set maximumAttempts in activityConfig/],
    [500, { attempt: 3, maximumAttempts: 3 }, /\(attempt 3 of 3\).* with a higher maximumAttempts/],
    [500, { attempt: 2, maximumAttempts: 3 }, /answered 500 \(attempt 2 of 3\): \{.*\}$/],
    [404, { attempt: 1, maximumAttempts: 3 }, /\(attempt 1 of 3\).*Check the URL/],
  ])(
    "the error of a response with status %i suggests a fix, unless another attempt follows",
    async (status, attempts, expected) => {
      const url = await scripted({ httpStatus: status })
      const { message } = await failureOf(
        services().model.call(modelRequest(url, attempts), noOptions),
      )
      expect(message).toMatch(expected)
    },
  )

  test("the error of a failed tool call contains the name of the tool", async () => {
    const service = await startScriptedService({ tools: { find: [{ httpStatus: 502 }] } })
    opened.push(service)
    expect(
      await failureOf(services().tool.call(toolRequest(`${service.url}/find`), noOptions)),
    ).toMatchObject({
      code: "tool_call_failed",
      status: 502,
      message: expect.stringContaining('tool "find"'),
    })
  })

  const noon = Date.parse("2030-01-01T12:00:00Z")
  test.each([
    ["7", 7_000],
    ["0", 0],
    ["Tue, 01 Jan 2030 12:00:05 GMT", 5_000],
    ["Tue, 01 Jan 2030 11:00:00 GMT", 0],
    ["99999999999", 2 ** 31 - 1],
    ["soon", undefined],
  ])("the header Retry-After: %s results in a retry delay of %s ms", async (header, wait) => {
    const url = await scripted({ httpStatus: 429, headers: { "retry-after": header } })
    expect(
      (await failureOf(services({ now: () => noon }).model.call(modelRequest(url), noOptions)))
        .retryAfterMs,
    ).toBe(wait)
  })

  test("the error contains the start of the response body in one line", async () => {
    const url = await serverThat((_, response) =>
      response.writeHead(500).end(`first\n\n\tsecond ${"x".repeat(200_000)}`),
    )
    const { message } = await failureOf(services().model.call(modelRequest(url), noOptions))
    expect(message).toMatch(/answered 500 \(attempt 1\): first second x{200,}…\. The service has/)
    expect(message.length).toBeLessThan(600)
  })

  test.each([301, 302, 303, 307, 308])(
    "a redirect with status %i is not followed",
    async (status) => {
      const url = await scripted({
        httpStatus: status,
        headers: { location: "http://127.0.0.1:1/elsewhere" },
      })
      expect(await failureOf(services().model.call(modelRequest(url), noOptions))).toMatchObject({
        code: "redirect_refused",
        status,
        retryable: false,
        message: expect.stringContaining("http://127.0.0.1:1/elsewhere"),
      })
    },
  )
})

describe("malformed responses", () => {
  test.each([
    [
      "a web page",
      { malformed: "<html>gateway</html>" },
      "not JSON (attempt 1): <html>gateway</html>",
    ],
    ["empty", { malformed: "" }, "an empty body"],
    ["incomplete JSON", { malformed: '{"content":' }, "not JSON"],
    ["without content (status 204)", { httpStatus: 204 }, "an empty body"],
    [
      "JSON that is nested too deeply",
      { malformed: "[".repeat(100_000) + "]".repeat(100_000) },
      "nested deeper than 500 levels",
    ],
  ])("a call fails as retryable if the response is %s", async (_, entry, message) => {
    expect(
      await failureOf(services().model.call(modelRequest(await scripted(entry)), noOptions)),
    ).toMatchObject({
      code: "service_answer_malformed",
      retryable: true,
      message: expect.stringContaining(message),
    })
  })

  test("a call fails as retryable if the response is not HTTP", async () => {
    const server = createSocketServer((socket) =>
      socket
        .on("error", () => undefined)
        .resume()
        .end("SSH-2.0-OpenSSH\r\n\r\n"),
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    opened.push({ close: () => server.close() })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await failureOf(services().model.call(modelRequest(url), noOptions))).toMatchObject({
      code: "service_answer_malformed",
      retryable: true,
      message: expect.stringContaining("the response cannot be read (HPE_"),
    })
  })

  test.each([
    ["gzip", gzipSync('{"content":"ok"}'), { content: "ok" }],
    ["br", brotliCompressSync('{"content":"ok"}'), { content: "ok" }],
  ])(
    "a response that is compressed with %s is decompressed, although the client did not request it",
    async (encoding, body, answer) => {
      const url = await serverThat((_, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(body),
      )
      expect(await services().model.call(modelRequest(url), noOptions)).toEqual(answer)
    },
  )

  test.each([
    ["gzip", "not gzip at all"],
    ["zstd", "unknown"],
  ])(
    "a call fails as retryable if the response cannot be decompressed as %s",
    async (encoding, body) => {
      const url = await serverThat((_, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(body),
      )
      expect(await failureOf(services().model.call(modelRequest(url), noOptions))).toMatchObject({
        code: "service_answer_malformed",
        retryable: true,
      })
    },
  )
})

describe("responses that are too large", () => {
  const megabyte = 1024 * 1024

  test("a response of 50 MB is aborted at the default limit of 10 MiB", async () => {
    const service = await startScriptedService({ llm: { writer: [{ hugeBytes: 50_000_000 }] } })
    opened.push(service)
    const failure = await failureOf(
      services().model.call(modelRequest(`${service.url}/writer`), noOptions),
    )
    expect(failure).toMatchObject({
      code: "response_too_large",
      retryable: false,
      message: expect.stringContaining("more than 10485760 bytes"),
    })
    await expect.poll(() => service.requests[0]?.aborted).toBe(true)
  })

  test("a response whose content-length exceeds the limit is not read", async () => {
    let written = 0
    const url = await serverThat((_, response) => {
      response.writeHead(200, { "content-length": String(50 * megabyte) })
      response.on("close", () => (written = response.socket?.bytesWritten ?? 0))
      response.write("{")
    })
    expect(
      await failureOf(
        services({ maxResponseBytes: megabyte }).model.call(modelRequest(url), noOptions),
      ),
    ).toMatchObject({ code: "response_too_large" })
    expect(written).toBeLessThan(megabyte)
  })

  test("the size of a response is measured after decompression", async () => {
    const bomb = gzipSync(JSON.stringify({ content: "x".repeat(5 * megabyte) }))
    expect(bomb.length).toBeLessThan(10_000)
    const url = await serverThat((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    )
    expect(
      await failureOf(
        services({ maxResponseBytes: megabyte }).model.call(modelRequest(url), noOptions),
      ),
    ).toMatchObject({ code: "response_too_large" })
  })

  test("a response whose size is exactly the limit is accepted", async () => {
    const url = await scripted({ hugeBytes: 1_000 })
    expect(
      await services({ maxResponseBytes: 1_000 }).model.call(modelRequest(url), noOptions),
    ).toEqual({ content: "x".repeat(986) })
  })
})

describe("calls that are aborted by their signal", () => {
  test("an aborted call rejects with the reason of its signal and aborts the request", async () => {
    const service = await startScriptedService({
      llm: { writer: [{ content: "late", delayMs: 60_000 }] },
    })
    opened.push(service)
    const reason = new Error("enough")
    const controller = new AbortController()
    service.onRequest(() => controller.abort(reason))
    await expect(
      services().model.call(modelRequest(`${service.url}/writer`), { signal: controller.signal }),
    ).rejects.toBe(reason)
    await expect.poll(() => service.requests[0]?.aborted).toBe(true)
  })

  test("a call that is aborted during the response rejects with the reason of its signal", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const url = await serverThat((_, response) => {
      response.writeHead(200)
      response.write('{"content":')
      setImmediate(() => controller.abort(reason))
    })
    await expect(
      services().model.call(modelRequest(url), { signal: controller.signal }),
    ).rejects.toBe(reason)
  })

  test("a call whose signal is already aborted makes no request", async () => {
    const reason = new Error("never mind")
    await expect(
      services().model.call(modelRequest("http://127.0.0.1:1/"), {
        signal: AbortSignal.abort(reason),
      }),
    ).rejects.toBe(reason)
  })

  test("an aborted call does not wait for a secret store that never responds", async () => {
    const http = services({ secrets: { read: () => new Promise(() => undefined) } })
    const request = modelRequest({
      url: "http://127.0.0.1:1/",
      method: "POST",
      headers: { a: "{{ $secret('k') }}" },
    })
    await expect(
      http.model.call(request, { signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({ name: "TimeoutError" })
  })
})

describe("the sockets of an HTTP client", () => {
  const sockets = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource.startsWith("TCP")).length

  test("close leaves no socket open after responses, errors, oversized responses and aborted calls", async () => {
    await expect.poll(sockets).toBe(0)
    const service = await startScriptedService({
      llm: {
        writer: [
          { content: "ok" },
          { httpStatus: 500 },
          { hugeBytes: 20_000_000 },
          { reset: true },
          { content: "late", delayMs: 60_000 },
        ],
      },
    })
    const http = createHttpServices()
    const url = `${service.url}/writer`
    const call = (signal: AbortSignal): Promise<unknown> =>
      http.model.call(modelRequest(url), { signal }).catch(() => undefined)
    for (let attempt = 0; attempt < 4; attempt++) await call(new AbortController().signal)
    const aborted = new AbortController()
    const late = call(aborted.signal)
    await expect.poll(() => service.requests).toHaveLength(5)
    aborted.abort()
    await late
    expect(sockets()).toBeGreaterThan(0)
    await http.close()
    await service.close()
    expect(sockets()).toBe(0)
  })
})
