import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import type { Browser, Page } from "playwright-core"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { noBrowser } from "../support/browser.js"
import { launchBrowser } from "../support/launch-browser.mjs"
import { calls, chunkOf, completion, streamOf } from "../adapters/model/openai-server.js"

const here = (name: string): string => fileURLToPath(new URL(`web/${name}`, import.meta.url))

/** Entries of the package that run without Node. */
const entries = [
  "agent-statecharts",
  "agent-statecharts/compiler",
  "agent-statecharts/machines",
  "agent-statecharts/runtime",
  "agent-statecharts/expression",
  "agent-statecharts/analysis",
  "agent-statecharts/adk",
  "agent-statecharts/client",
  "agent-statecharts/run-chart",
  "agent-statecharts/adapters/http",
  "agent-statecharts/adapters/model/openai",
]

/** Bundles a file, or a text, and fails if the bundle imports something. */
async function bundle(
  input: { readonly file: string } | { readonly code: string },
  platform: "browser" | "neutral",
): Promise<string> {
  const file = "file" in input ? input.file : here("entry.js")
  const problems: string[] = []
  const made = await rolldown({
    input: file,
    platform,
    ...(platform === "neutral" && {
      resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
    }),
    onLog: (level, { message }) => level !== "debug" && problems.push(message),
    plugins: [
      {
        name: "entry",
        resolveId: (id) => ("code" in input && id === file ? id : null),
        load: (id) => ("code" in input && id === file ? input.code : null),
      },
    ],
  })
  const { output } = await made.generate({ format: "esm", codeSplitting: false })
  await made.close()
  expect(problems).toEqual([])
  const [chunk] = output
  expect(chunk.imports).toEqual([])
  return chunk.code
}

describe.each(["browser", "neutral"] as const)("a bundle for the platform %s", (platform) => {
  test.each(entries)("a bundle can contain %s without modules of Node.js", async (entry) => {
    const code = await bundle({ code: `export * from "${entry}"` }, platform)
    expect(code).not.toMatch(/(?:from|import)\s*\(?["'](?:node:|undici)/)
  })
})

/** A host that is not localhost, so the page has no secure context. */
const host = "plain.test"

describe.skipIf(noBrowser !== null)("a page that was loaded over HTTP without TLS", () => {
  let server: Server
  let browser: Browser
  let page: Page
  let origin: string
  const problems: string[] = []
  const tools: IncomingMessage["headers"][] = []

  beforeAll(async () => {
    const scripts = new Map<string, string>(
      await Promise.all(
        ["page.js", "worker.js"].map(async (name): Promise<[string, string]> => [
          `/${name}`,
          await bundle({ file: here(name) }, "browser"),
        ]),
      ),
    )
    const replies = [
      calls("look", '{"city":"Rome"}'),
      streamOf([chunkOf({ content: "Sunny " }), chunkOf({ content: "Rome." }, "stop")]),
    ]
    let modelCalls = 0
    server = createServer((request, response) => {
      const url = request.url ?? ""
      request.resume().on("end", () => {
        const script = scripts.get(url)
        if (script !== undefined)
          response.writeHead(200, { "content-type": "text/javascript" }).end(script)
        else if (url === "/v1/chat/completions") {
          const reply = replies[modelCalls++ % replies.length]
          const { body } = reply ?? completion({ content: "" })
          response.writeHead(200, { "content-type": "application/json", ...reply?.headers })
          response.end(typeof body === "string" ? body : JSON.stringify(body))
        } else if (url === "/critic")
          response.writeHead(200).end('{"content":"Good.","exitFlow":true}')
        else if (url === "/look") {
          tools.push(request.headers)
          response
            .writeHead(200, { "content-type": "application/json" })
            .end('{"sky":"blue","echo":"canary-of-the-tool"}')
        } else if (url === "/moved") response.writeHead(302, { location: "/look" }).end()
        else if (url === "/busy") response.writeHead(503, { "retry-after": "7" }).end("later")
        else if (url === "/large") response.writeHead(200).end("x".repeat(2000))
        else
          response
            .writeHead(200, { "content-type": "text/html" })
            .end(
              '<!doctype html><title>A page</title><script type="module" src="/page.js"></script>',
            )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    origin = `http://${host}:${(server.address() as AddressInfo).port}`
    browser = await launchBrowser([`--host-resolver-rules=MAP ${host} 127.0.0.1`])
    page = await browser.newPage()
    page.on("pageerror", ({ message }) => problems.push(message))
    await page.goto(origin)
    await page.waitForFunction("globalThis.program !== undefined")
  })

  beforeEach(() => {
    tools.length = 0
  })

  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })

  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  const played = {
    runId: expect.stringMatching(uuid),
    status: "completed",
    text: "Good.",
    state: { text: "Sunny Rome." },
    deltas: ["Sunny ", "Rome."],
  }

  test("a run works in a page without crypto.randomUUID", async () => {
    expect(await page.evaluate("[isSecureContext, typeof crypto.randomUUID]")).toEqual([
      false,
      "undefined",
    ])
    expect(await page.evaluate(`program.play("${origin}")`)).toMatchObject(played)
    expect(tools).toMatchObject([{ authorization: "Bearer canary-of-the-tool" }])
    expect(problems).toEqual([])
  })

  test("a workflow can run in a worker", async () => {
    const result = await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker("/worker.js", { type: "module" })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage("${origin}")
    })`)
    expect(result).toMatchObject(played)
  })

  test.each([
    ["/moved", { code: "redirect_refused", retryable: false }],
    ["/busy", { code: "tool_call_failed", retryable: true, status: 503 }],
    ["/large", { code: "response_too_large", retryable: false }],
  ])("a call of %s fails in the same way as in Node.js", async (path, failure) => {
    expect(await page.evaluate(`program.fail("${origin}${path}")`)).toMatchObject(failure)
  })

  test("the error for a request that the server does not allow mentions CORS", async () => {
    const other = origin.replace(host, "127.0.0.1")
    expect(await page.evaluate(`program.fail("${other}/look")`)).toMatchObject({
      code: "service_unreachable",
      message: expect.stringContaining("CORS"),
    })
  })

  test("a host from a template is refused, because its address cannot be checked", async () => {
    const call = (more: string): Promise<unknown> =>
      page.evaluate(`program.fail("{{ state.place }}/look", { allowTemplateHosts: true${more} })`)
    expect(await call("")).toMatchObject({
      code: "host_refused",
      message: expect.stringContaining("allowPrivateAddresses"),
    })
    expect(await call(", allowPrivateAddresses: true")).toMatchObject({ sky: "blue" })
  })

  test.each(["dispatcher: {}", "connectTimeoutMs: 5", "lookup() {}"])(
    "the option { %s }, which needs Node.js, is rejected",
    async (option) => {
      expect(await page.evaluate(`program.refuse({ ${option} })`)).toBe("argument_invalid")
    },
  )
})
