import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createClient } from "../../../src/client/index.js"
import { isBuilt } from "../../cli/command.js"
import { eventually } from "../../support/eventually.js"
import type { ReceivedMessage, WebhookReceiver } from "../../support/webhook-receiver.js"
import { isSignedWith, startReceiver } from "../../support/webhook-receiver.js"
import { differences } from "../open-api-check.js"
import type { TestServer } from "../test-server.js"
import { startServerProcess, startTestServer } from "../test-server.js"

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
const place = mkdtempSync(join(tmpdir(), "webhooks-"))
let runs = ""
let folders = 0

beforeAll(() => {
  process.env["EVENTS_SECRET"] = secret
  for (const [id, agents] of Object.entries({
    approval: ["boss", "chief"],
    other: ["boss"],
  })) {
    mkdirSync(join(place, id))
    writeFileSync(
      join(place, id, "workflow.json"),
      JSON.stringify({
        rootAgentId: "line",
        agents: [
          {
            type: "SequentialAgent",
            id: "line",
            subAgents: agents.map((agentId) => ({ agentId })),
          },
          ...agents.map((agent) => ({
            type: "HumanAgent",
            id: agent,
            prompt: "May we?",
            outputKey: agent,
          })),
        ],
      }),
    )
  }
})
afterAll(() => {
  delete process.env["EVENTS_SECRET"]
  rmSync(place, { recursive: true })
})

const summary = ({ body: { type, data } }: ReceivedMessage): string =>
  `${String(data["runId"])} ${type} ${String(data["seq"])}`

/** Returns the first message with each id, in order. */
const distinct = (messages: readonly ReceivedMessage[]): readonly ReceivedMessage[] =>
  messages.filter(({ id }, index) => messages.findIndex((one) => one.id === id) === index)

describe.skipIf(!isBuilt)("a server with outgoing webhooks", () => {
  const servers: TestServer[] = []
  const receivers: WebhookReceiver[] = []

  beforeEach(() => {
    runs = join(place, `runs-${folders++}`)
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })

  const receive = async (...given: Parameters<typeof startReceiver>): Promise<WebhookReceiver> => {
    const receiver = await startReceiver(...given)
    receivers.push(receiver)
    return receiver
  }
  const serve = async (
    webhooks: readonly object[],
    more: readonly string[] = [],
    journal = runs,
    startServer = startTestServer,
  ): Promise<TestServer> => {
    const file = `${runs}.webhooks.json`
    writeFileSync(file, JSON.stringify({ outgoing: webhooks }))
    const server = await startServer(place, journal, [
      "--webhooks",
      file,
      "--token",
      "test-token",
      ...more,
    ])
    servers.push(server)
    return server
  }
  const webhook = (url: string) => ({
    name: "events",
    url,
    secret: "EVENTS_SECRET",
    retry: { first: "10ms", longest: "50ms" },
  })
  /** A delivery of a killed server continues after twice the timeout. */
  const continued = (url: string) => ({ ...webhook(url), timeout: "3s" })
  const start = async (server: TestServer, runId: string, workflow = "approval") => {
    const { status } = await server.ask("/v1/runs", { method: "POST", body: { workflow, runId } })
    expect(status).toBe(201)
  }
  const answer = async (server: TestServer, runId: string, agent: string) => {
    await eventually(async () => {
      const { body } = await server.ask(`/v1/runs/${runId}`)
      const [request] = body["pending"] as readonly {
        readonly id: string
        readonly agent: string
      }[]
      expect(request?.agent).toBe(agent)
      const { status } = await server.ask(`/v1/runs/${runId}/answer`, {
        method: "POST",
        body: { id: request?.id, value: "yes" },
      })
      expect(status).toBe(200)
    })
  }

  test("the server sends the selected events of a run signed and in order, and then stores no delivery", async () => {
    const receiver = await receive()
    const server = await serve([webhook(receiver.url)])
    await start(server, "one")
    await answer(server, "one", "boss")
    await answer(server, "one", "chief")
    await eventually(() => expect(receiver.messages.at(-1)?.body.type).toBe("run.finished"))
    expect(receiver.messages.map(({ body }) => body.type)).toEqual([
      "run.started",
      "human.asked",
      "human.asked",
      "run.finished",
    ])
    expect(receiver.messages.every((message) => isSignedWith(secret, message))).toBe(true)
    expect(receiver.messages.at(-1)?.body.data).toMatchObject({
      runId: "one",
      result: { status: "completed", state: { boss: "yes", chief: "yes" } },
    })
    await eventually(async () => {
      const answered = await server.ask("/v1/webhooks")
      expect(answered.body).toEqual({
        webhooks: [expect.objectContaining({ name: "events", url: receiver.url, failed: 0 })],
        deliveries: [],
      })
      const { body: document } = await server.ask("/openapi.json")
      expect(differences(document, "GET", "/v1/webhooks", answered)).toEqual([])
    })
  })

  test("a webhook with a list of workflows reports only their runs", async () => {
    const receiver = await receive()
    const server = await serve([{ ...webhook(receiver.url), workflows: ["other"] }])
    await start(server, "ignored")
    await start(server, "reported", "other")
    await eventually(() => expect(receiver.messages).toHaveLength(2))
    expect(receiver.messages.map(summary)).toEqual([
      "reported run.started 0",
      "reported human.asked 3",
    ])
  })

  test("a failed delivery is retried with the same id before later events are sent", async () => {
    const receiver = await receive((_, count) => ({ status: count <= 3 ? 503 : 200 }))
    const server = await serve([webhook(receiver.url)])
    await start(server, "one")
    await eventually(() => expect(distinct(receiver.messages)).toHaveLength(2))
    expect(receiver.messages.map(({ body }) => body.type)).toEqual([
      ...Array.from({ length: 4 }, () => "run.started"),
      "human.asked",
    ])
    expect(new Set(receiver.messages.slice(0, 4).map(({ id }) => id)).size).toBe(1)
  })

  test("the server gives up after the configured time, shows the failure, and retries on request", async () => {
    let status = 500
    const receiver = await receive(() => ({ status }))
    const server = await serve([
      { ...webhook(receiver.url), retry: { first: "10ms", giveUpAfter: "20ms" } },
    ])
    await start(server, "one")
    await eventually(async () => {
      const { body } = await server.ask("/v1/webhooks")
      expect(body).toMatchObject({
        webhooks: [{ failed: 1 }],
        deliveries: [
          {
            runId: "one",
            receiver: "events",
            status: "failed",
            position: 0,
            nextAttemptAt: null,
            error: "answered 500",
          },
        ],
      })
    })
    status = 200
    const before = receiver.messages.length
    const client = createClient({ url: server.origin, token: server.token })
    expect(await client.webhooks()).toMatchObject({
      webhooks: [{ name: "events", failed: 1 }],
      deliveries: [{ status: "failed", receiver: "events" }],
    })
    expect(await client.retryWebhook("events")).toBe(1)
    await eventually(() => expect(receiver.messages).toHaveLength(before + 2))
    expect((await server.ask("/v1/webhooks/unknown/retry", { method: "POST" })).status).toBe(404)
  })

  test("a delivery fails without retries if the receiver responds with status 410", async () => {
    const receiver = await receive(() => ({ status: 410 }))
    const server = await serve([webhook(receiver.url)])
    await start(server, "one")
    await eventually(async () =>
      expect((await server.ask("/v1/webhooks")).body["deliveries"]).toMatchObject([
        { status: "failed", attempts: 1 },
      ]),
    )
  })

  test.each(["folder", "sqlite"])(
    "a server continues the deliveries of a killed server, also for ended runs (%s)",
    async (kind) => {
      let isDown = true
      const receiver = await receive(() => ({ status: isDown ? 503 : 200 }))
      const journal = kind === "folder" ? runs : `${runs}.sqlite`
      const killed = await serve([continued(receiver.url)], [], journal, startServerProcess)
      await start(killed, "ended", "other")
      await answer(killed, "ended", "boss")
      await start(killed, "waiting")
      await eventually(async () => {
        expect((await killed.ask("/v1/runs/ended")).body["status"]).toBe("completed")
        expect(new Set(receiver.messages.map(({ body }) => body.data["runId"])).size).toBe(2)
      })
      await killed.stop("SIGKILL")
      isDown = false
      const server = await serve([continued(receiver.url)], [], journal)
      await eventually(() => {
        const runsOf = (id: string) =>
          distinct(receiver.messages)
            .filter(({ body }) => body.data["runId"] === id)
            .map(({ body }) => body.type)
        expect(runsOf("ended")).toEqual(["run.started", "human.asked", "run.finished"])
        expect(runsOf("waiting")).toEqual(["run.started", "human.asked"])
      })
      await answer(server, "waiting", "boss")
      await eventually(() => expect(distinct(receiver.messages)).toHaveLength(6))
    },
  )

  test("an event whose request was in flight when the server was killed is delivered again", async () => {
    const never = new Promise<never>(() => {})
    const receiver = await receive((_, count) => (count === 1 ? never : { status: 200 }))
    const killed = await serve([continued(receiver.url)], [], runs, startServerProcess)
    await start(killed, "one", "other")
    await eventually(() => expect(receiver.messages).toHaveLength(1))
    await killed.stop("SIGKILL")
    const server = await serve([continued(receiver.url)])
    await answer(server, "one", "boss")
    await eventually(() => expect(distinct(receiver.messages)).toHaveLength(3))
    const [first, second] = receiver.messages
    expect(second?.id).toBe(first?.id)
    expect(distinct(receiver.messages).map(({ body }) => body.type)).toEqual([
      "run.started",
      "human.asked",
      "run.finished",
    ])
  })

  test("a run that was started without webhooks sends only its later events", async () => {
    const receiver = await receive()
    const first = await startTestServer(place, runs)
    servers.push(first)
    await start(first, "old")
    await first.stop()
    const server = await serve([webhook(receiver.url)])
    await answer(server, "old", "boss")
    await answer(server, "old", "chief")
    await eventually(() => expect(receiver.messages).toHaveLength(2))
    expect(receiver.messages.map(({ body }) => body.type)).toEqual(["human.asked", "run.finished"])
  })
})
