import { createHmac } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../../cli/command.js"
import { eventually } from "../../support/eventually.js"
import { sign } from "../../support/webhook-receiver.js"
import { differences } from "../open-api-check.js"
import type { Answer, TestServer } from "../test-server.js"
import { startServerProcess, startTestServer } from "../test-server.js"

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
const hubSecret = "It's a secret"
const place = mkdtempSync(join(tmpdir(), "incoming-"))
const runs = join(place, "runs")

const webhooks = {
  incoming: [
    { name: "answers", secret: "IN_SECRET", run: "/run", request: "/request", answer: "/value" },
    { name: "any-run", secret: "IN_SECRET", request: "/request", answer: "/value" },
    {
      name: "orders",
      secret: "IN_SECRET",
      request: "/data/order",
      matches: "/shown/order",
      answer: "/data/state",
    },
    {
      name: "hub",
      secret: "HUB_SECRET",
      signature: { header: "X-Hub-Signature-256", prefix: "sha256=" },
      messageId: "X-Delivery",
      run: "/run",
      request: "/request",
      answer: "/value",
    },
  ],
}

describe.skipIf(!isBuilt)("a server with incoming webhooks", () => {
  let server: TestServer

  const serve = (start = startTestServer) =>
    start(place, runs, [
      "--webhooks",
      join(place, "webhooks.json"),
      "--token",
      "test-token",
      "--max-body",
      "2000",
    ])

  beforeAll(async () => {
    process.env["IN_SECRET"] = secret
    process.env["HUB_SECRET"] = hubSecret
    writeFileSync(join(place, "webhooks.json"), JSON.stringify(webhooks))
    mkdirSync(join(place, "shop"))
    writeFileSync(
      join(place, "shop/workflow.json"),
      JSON.stringify({
        rootAgentId: "line",
        agents: [
          {
            type: "SequentialAgent",
            id: "line",
            subAgents: [{ agentId: "payment" }, { agentId: "delivery" }],
          },
          {
            type: "HumanAgent",
            id: "payment",
            prompt: "Is the order paid?",
            show: ["order"],
            outputKey: "payment",
          },
          { type: "HumanAgent", id: "delivery", prompt: "Delivered?", outputKey: "delivery" },
        ],
      }),
    )
    server = await serve(startServerProcess)
  })
  afterAll(async () => {
    delete process.env["IN_SECRET"]
    delete process.env["HUB_SECRET"]
    await server.stop()
    rmSync(place, { recursive: true })
  })

  const start = async (runId: string, order = "none"): Promise<string> => {
    const { status } = await server.ask("/v1/runs", {
      method: "POST",
      body: { workflow: "shop", runId, state: { order } },
    })
    expect(status).toBe(201)
    return pendingOf(runId, "payment")
  }
  const pendingOf = (runId: string, agent: string): Promise<string> =>
    eventually(async () => {
      const { body } = await server.ask(`/v1/runs/${runId}`)
      const [request] = body["pending"] as readonly {
        readonly id: string
        readonly agent: string
      }[]
      expect(request?.agent).toBe(agent)
      return request?.id ?? ""
    })
  const stateOf = async (runId: string): Promise<unknown> =>
    (await server.ask(`/v1/runs/${runId}/result`)).body["state"]

  /** Sends a signed message without the token of the server. */
  const send = (name: string, json: unknown, id: string): Promise<Answer> => {
    const body = JSON.stringify(json)
    return sendText(name, body, sign(secret, body, { id }))
  }
  const sendText = (
    name: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> =>
    server.ask(`/v1/hooks/${name}`, {
      method: "POST",
      body,
      headers: { authorization: "", ...headers },
    })

  test("a message answers the request of a run, and a repeated message is a duplicate", async () => {
    const request = await start("one")
    const message = { run: "one", request, value: { paid: true } }
    const answered = await send("answers", message, "msg_1")
    expect(answered).toMatchObject({
      status: 200,
      body: { status: "answered", runId: "one", request },
    })
    const { body: document } = await server.ask("/openapi.json")
    expect(differences(document, "POST", "/v1/hooks/{id}", answered)).toEqual([])
    expect(await send("answers", message, "msg_1")).toMatchObject({
      status: 200,
      body: { status: "duplicate" },
    })
    // The sender does not know that the request is answered.
    expect(await send("answers", message, "msg_2")).toMatchObject({
      status: 404,
      body: { code: "request_unknown" },
    })
    await pendingOf("one", "delivery")
    expect(await stateOf("one")).toMatchObject({ payment: { paid: true } })
  })

  test("a repeated message is a duplicate, also after the server was killed", async () => {
    const request = await start("killed")
    await send("answers", { run: "killed", request, value: "paid" }, "msg_killed")
    await server.stop("SIGKILL")
    server = await serve()
    const next = await pendingOf("killed", "delivery")
    const repeated = await send(
      "answers",
      { run: "killed", request: next, value: "" },
      "msg_killed",
    )
    expect(repeated.body).toEqual({ status: "duplicate" })
    await pendingOf("killed", "delivery")
  })

  test("a message can select a request by a value in its shown state", async () => {
    await start("first", "order-1")
    await start("second", "order-2")
    const { status } = await send("orders", { data: { order: "order-2", state: "paid" } }, "msg_o")
    expect(status).toBe(200)
    await pendingOf("second", "delivery")
    await pendingOf("first", "payment")
    expect(await stateOf("second")).toMatchObject({ payment: "paid" })
  })

  test("a message that matches several requests is rejected", async () => {
    const request = await start("twin-1")
    await start("twin-2")
    expect(await send("any-run", { request, value: "paid" }, "msg_twin")).toMatchObject({
      status: 409,
      body: { code: "request_ambiguous" },
    })
  })

  test("a hexadecimal signature in the configured header is accepted", async () => {
    const request = await start("hub")
    const body = JSON.stringify({ run: "hub", request, value: "paid" })
    const hex = createHmac("sha256", hubSecret).update(body).digest("hex")
    const headers = { "x-hub-signature-256": `sha256=${hex}`, "x-delivery": "17" }
    expect((await sendText("hub", body, { ...headers, "x-hub-signature-256": hex })).status).toBe(
      401,
    )
    expect((await sendText("hub", body, headers)).body).toMatchObject({ status: "answered" })
    expect((await sendText("hub", body, headers)).body).toEqual({ status: "duplicate" })
  })

  test.each([
    ["another secret", "answers", (body: string) => sign("whsec_" + "A".repeat(44), body), 401],
    [
      "an old time",
      "answers",
      (body: string) => sign(secret, body, { timestamp: 1_700_000_000 }),
      401,
    ],
    ["another body", "answers", () => sign(secret, "{}"), 401],
    ["no signature", "answers", () => ({}), 401],
    ["an unknown name", "unknown", (body: string) => sign(secret, body), 404],
  ] as const)("the server rejects a message with %s", async (_, name, headers, status) => {
    const body = JSON.stringify({ run: "refused", request: "x", value: "" })
    expect((await sendText(name, body, headers(body))).status).toBe(status)
  })

  test.each([
    ["{", 400],
    ["{}", 400],
    [JSON.stringify({ run: "unknown", request: "x", value: 1 }), 404],
    [JSON.stringify({ text: "x".repeat(2_000) }), 413],
  ])("the server rejects the body %.20s", async (body, status) => {
    const headers = sign(secret, body, { id: "msg_refused" })
    expect((await sendText("answers", body, headers)).status).toBe(status)
  })

  test("the server rejects other requests without the token", async () => {
    const { status } = await server.ask("/v1/webhooks", { headers: { authorization: "" } })
    expect(status).toBe(401)
  })
})
