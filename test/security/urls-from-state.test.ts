import type { LookupFunction } from "node:net"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  createHttpServices,
  type HttpServices,
  type HttpServicesOptions,
  secretsFromObject,
} from "../../src/adapters/http/index.js"
import { isPublicAddress } from "../../src/adapters/http/client/public-address.js"
import { modelRequest, noOptions, toolRequest } from "../adapters/sample-requests.js"
import { chartOf, llm } from "../support/workflow.js"
import { interpreters, play } from "../support/in-both-interpreters.js"

const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.headers.host} ${request.url}`)
  if (request.url === "/redirect")
    response.writeHead(302, { location: `http://127.0.0.1:${port}/writer` }).end()
  else response.writeHead(200, { "content-type": "application/json" }).end('{"content":"reached"}')
})
let port = 0
let lookups = 0

/** A DNS server of an attacker: `here.test` resolves to localhost, `mixed.test` to localhost and a public address. */
const lookup: LookupFunction = (name, options, callback) => {
  lookups += 1
  const here = { address: "127.0.0.1", family: 4 }
  const found =
    name === "mixed.test"
      ? [{ address: "1.1.1.1", family: 4 }, here]
      : name.endsWith("here.test")
        ? [here]
        : name === "here6.test"
          ? [{ address: "::ffff:127.0.0.1", family: 6 }]
          : []
  if (found.length === 0)
    return callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), "")
  if (options.all === true) return callback(null, found)
  return callback(null, found[0]?.address ?? "", found[0]?.family)
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  requests.length = 0
  lookups = 0
})
afterAll(() => void server.close())

async function withHttp<Value>(
  options: HttpServicesOptions,
  use: (http: HttpServices) => Promise<Value>,
): Promise<Value> {
  const http = createHttpServices({ lookup, ...options })
  try {
    return await use(http)
  } finally {
    await http.close()
  }
}

const ask = (
  http: HttpServices,
  base: string,
  more: { readonly url?: string; readonly headers?: Record<string, string> } = {},
): Promise<unknown> =>
  http.model.call(
    modelRequest(
      { url: more.url ?? "{{ state.base }}/writer", method: "POST", headers: more.headers ?? {} },
      { state: { base } },
    ),
    noOptions,
  )

const refused = { name: "CallFailedError", failure: { code: "host_refused", retryable: false } }

describe("hosts that a template sets", () => {
  test("a template cannot set the host by default", () =>
    withHttp({}, (http) =>
      expect(ask(http, "https://api.example.com")).rejects.toMatchObject(refused),
    ))

  test("an empty allow-list allows no host", () =>
    withHttp({ allowTemplateHosts: true, allowedHosts: [] }, (http) =>
      expect(ask(http, "https://api.example.com")).rejects.toMatchObject(refused),
    ))

  test("allowTemplateHosts: false takes precedence over an allow-list", () =>
    withHttp({ allowTemplateHosts: false, allowedHosts: ["*.example.com"] }, (http) =>
      expect(ask(http, "https://api.example.com")).rejects.toMatchObject(refused),
    ))
})

describe("an allow-list of hosts", () => {
  const cases: readonly (readonly [pattern: string, base: string, allowed: boolean])[] = [
    ["api.example.com", "https://api.example.com", true],
    ["api.example.com", "http://API.example.com.", true],
    ["api.example.com", "https://api.example.com:8443", false],
    ["api.example.com", "https://api.example.com.evil.test", false],
    ["api.example.com", "https://evil.test/api.example.com", false],
    ["api.example.com", "https://evil.test#api.example.com", false],
    ["api.example.com", "https://api.example.com@evil.test", false],
    ["api.example.com", "https://evil.test\\@api.example.com", false],
    ["api.example.com", "https://xapi.example.com", false],
    ["api.example.com:8443", "https://api.example.com:8443", true],
    ["api.example.com:8443", "https://api.example.com", false],
    ["api.example.com:*", "https://api.example.com:9", true],
    ["https://api.example.com", "http://api.example.com", false],
    ["*.example.com", "https://a.b.example.com", true],
    ["*.example.com", "https://example.com", false],
    ["*.example.com", "https://evilexample.com", false],
    ["bücher.example", "https://xn--bcher-kva.example", true],
  ]

  // No host has these names, so an allowed call looks up the name and finds no address.
  test.each(cases)("the pattern %s allows %s: %s", async (pattern, base, allowed) => {
    const error: unknown = await withHttp({ allowedHosts: [pattern] }, (http) =>
      ask(http, base).catch((caught: unknown) => caught),
    )
    expect(error).toMatchObject(allowed ? { failure: { code: "service_unreachable" } } : refused)
    expect(lookups > 0).toBe(allowed)
  })

  test("an invalid host pattern is rejected when the services are created", () => {
    for (const pattern of [
      "",
      "*",
      "*.",
      "http://",
      "a b",
      "user@a.test",
      "a.test/path",
      "*.127.0.0.1",
      "a*.test",
      "ftp://a.test",
    ]) {
      expect(() => createHttpServices({ allowedHosts: [pattern] }), pattern).toThrow(
        expect.objectContaining({ code: "host_refused" }),
      )
    }
  })

  test("an allow-list also applies to a Host header that a template sets", () =>
    withHttp({ allowedHosts: ["*.example.com"] }, async (http) => {
      const url = `http://127.0.0.1:${port}/writer`
      for (const host of [
        "evil.test",
        "169.254.169.254",
        "a.example.com/x",
        "a.example.com@evil.test",
      ])
        await expect(
          ask(http, host, { url, headers: { Host: "{{ state.base }}" } }),
          host,
        ).rejects.toMatchObject(refused)
      await ask(http, "a.example.com", { url, headers: { Host: "{{ state.base }}" } })
      expect(requests).toEqual(["a.example.com /writer"])
    }))
})

describe("private addresses that a template sets", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "100.64.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "168.63.129.16",
    "100.100.100.200",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
  ])("a request to http://%s is refused before anything is sent", (host) =>
    withHttp({ allowTemplateHosts: true }, async (http) => {
      await expect(ask(http, `http://${host}:${port}`)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining("private network"),
      })
      expect([requests, lookups]).toEqual([[], 0])
    }),
  )

  test("a host name is refused if one of its addresses is private", () =>
    withHttp({ allowTemplateHosts: true }, async (http) => {
      for (const name of ["here.test", "here6.test", "mixed.test"])
        await expect(ask(http, `http://${name}:${port}`), name).rejects.toMatchObject({
          ...refused,
          message: expect.not.stringContaining("127.0"),
        })
      expect(requests).toEqual([])
    }))

  test("a connection looks up its host name once, so it uses the addresses that were checked", () =>
    withHttp({ allowTemplateHosts: true }, async (http) => {
      await ask(http, `http://here.test:${port}`).catch(() => undefined)
      expect(lookups).toBe(1)
    }))

  test("a template cannot use an open connection to a host that is plain text in the config", () =>
    withHttp({ allowTemplateHosts: true }, async (http) => {
      await ask(http, "", { url: `http://here.test:${port}/writer` })
      await expect(ask(http, `http://here.test:${port}`)).rejects.toMatchObject(refused)
      expect(requests).toHaveLength(1)
    }))

  test("an allowed host name is refused if its address is private", () =>
    withHttp({ allowedHosts: ["*.here.test:*", "localhost:*"] }, async (http) => {
      for (const name of ["a.here.test", "localhost"])
        await expect(ask(http, `http://${name}:${port}`), name).rejects.toMatchObject(refused)
    }))

  test("a private address is allowed only if the allow-list contains it", () =>
    withHttp({ allowedHosts: ["127.0.0.1:*", "*.here.test:*"] }, async (http) => {
      expect(await ask(http, `http://127.0.0.1:${port}`)).toEqual({ content: "reached" })
      expect(await ask(http, `http://2130706433:${port}`)).toEqual({ content: "reached" })
      for (const host of ["127.0.0.2", "a.here.test"])
        await expect(ask(http, `http://${host}:${port}`), host).rejects.toMatchObject(refused)
    }))

  test("allowPrivateAddresses allows private addresses", () =>
    withHttp({ allowTemplateHosts: true, allowPrivateAddresses: true }, async (http) => {
      for (const host of ["127.0.0.1", "here.test"])
        expect(await ask(http, `http://${host}:${port}`)).toEqual({ content: "reached" })
    }))

  test("a host that is plain text in the config is not checked", () =>
    withHttp({}, async (http) => {
      for (const host of ["127.0.0.1", "here.test"])
        expect(await ask(http, "x", { url: `http://${host}:${port}/{{ state.base }}` })).toEqual({
          content: "reached",
        })
    }))

  test("the host rules also apply to tool calls", () =>
    withHttp({ allowTemplateHosts: true }, (http) =>
      expect(
        http.tool.call(
          toolRequest(
            { url: "{{ state.base }}", method: "GET" },
            { state: { base: `http://127.0.0.1:${port}` } },
          ),
          noOptions,
        ),
      ).rejects.toMatchObject(refused),
    ))

  test.each(interpreters)(
    "a run fails with host_refused if a template sets a private host (%s)",
    (interpreter) =>
      withHttp({ allowTemplateHosts: true }, async (http) => {
        const chart = chartOf(
          [
            llm("writer", {
              httpConfig: { url: "http://{{ state.host }}/writer", method: "POST" },
            }),
          ],
          { state: { host: `here.test:${port}` } },
        )
        const { rested } = await play(interpreter, chart, { http })
        expect(rested).toMatchObject({
          status: "failed",
          error: { agent: "writer", code: "host_refused" },
        })
        expect(requests).toEqual([])
      }),
  )

  test("isPublicAddress accepts public addresses and rejects texts that are not addresses", () => {
    for (const address of [
      "1.1.1.1",
      "8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
      "2606:4700:4700::1111",
      "2a00:1450::1",
    ])
      expect(isPublicAddress(address), address).toBe(true)
    for (const nothing of ["", "example.com", "1.2.3"])
      expect(isPublicAddress(nothing), nothing).toBe(false)
  })
})

describe("redirects", () => {
  test("a redirect is not followed, not even to the same host", () =>
    withHttp({ secrets: secretsFromObject({ key: "canary-of-the-redirect" }) }, async (http) => {
      const call = ask(http, "", {
        url: `http://127.0.0.1:${port}/redirect`,
        headers: { authorization: "{{ $secret('key') }}" },
      })
      await expect(call).rejects.toMatchObject({
        failure: { code: "redirect_refused", retryable: false },
      })
      expect(requests).toHaveLength(1)
    }))
})
