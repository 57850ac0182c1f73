import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createHttpServices, type HttpServices } from "../../src/adapters/http/index.js"
import { compile } from "../../src/compiler/index.js"
import { folderOf } from "../../src/compiler/1-parse/files/config-folder.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import {
  begin,
  calls,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"
import { deskDocument } from "./desk-document.js"

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

let server: Server
let base: string
let received: Received[]
let http: HttpServices
let respond: (request: Received) => { readonly status: number; readonly text: string }

beforeEach(async () => {
  received = []
  respond = () => ({ status: 200, text: '{"ok": true}' })
  server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const { method, url, headers } = request
      const got = { method, url, headers, body }
      received.push(got)
      const { status, text } = respond(got)
      response.writeHead(status, { "content-type": "application/json" }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const secrets: Readonly<Record<string, string>> = {
    KEY: "k-1/&",
    TOKEN: "t-22222222",
    PASSWORD: "p-33333333",
    SESSION: "s-44444444",
  }
  http = createHttpServices({ secrets: { read: (name) => secrets[name] } })
})

afterEach(async () => {
  await http.close()
  await new Promise((resolve) => server.close(resolve))
})

const auth = {
  key: "{{ $secret('KEY') }}",
  token: "{{ $secret('TOKEN') }}",
  login: { username: 'agent "7"', password: "{{ $secret('PASSWORD') }}" },
  session: "{{ $secret('SESSION') }}",
}

function compiled(toolset: object, dialect: "adk" | "graph-compose" = "adk"): AgentChart {
  const agent =
    dialect === "adk"
      ? { type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["desk"] }
      : {
          type: "LlmAgent",
          id: "clerk",
          model: "any",
          instructions: "Work.",
          tools: ["desk"],
        }
  const config = {
    rootAgentId: "clerk",
    agents: [agent],
    globalTools: [{ type: "OpenAPIToolset", id: "desk", document: deskDocument, auth, ...toolset }],
  }
  const { chart, diagnostics } = compile(config, { dialect })
  if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
  return chart
}

describe.each(["adk", "graph-compose"] as const)("an OpenAPI document (%s)", (dialect) => {
  test("becomes one tool for each operation, with schemas that models understand", () => {
    const chart = compiled({ prefix: "desk" }, dialect)
    const { clerk } = chart.agents
    const declarations = clerk?.type === "LlmAgent" ? clerk.declarations : []
    expect(declarations.map((one) => one.function.name)).toEqual([
      "desk_listTickets",
      "desk_create_ticket",
      "desk_getTicket",
      "desk_delete_tickets_id",
    ])
    expect(declarations[1]?.function).toEqual({
      name: "desk_create_ticket",
      description: "POST /tickets",
      parameters: {
        type: "object",
        properties: { body: { $ref: "#/$defs/Ticket" } },
        required: ["body"],
        $defs: {
          Ticket: {
            type: "object",
            required: ["title"],
            properties: {
              title: { type: "string" },
              note: { type: ["string", "null"] },
              weight: { type: "number", exclusiveMinimum: 0 },
              parent: { $ref: "#/$defs/Ticket" },
            },
          },
        },
      },
    })
    expect(chart.tools["desk_getTicket"]).toMatchObject({
      type: "HttpTool",
      endpoint: {
        url: "https://eu.desk.test/v1/tickets/{id}",
        method: "GET",
        headers: { authorization: "Bearer {{ $secret('TOKEN') }}" },
      },
    })
  })

  test("can be filtered by operations and by tags", () => {
    const tools = (toolset: object) => Object.keys(compiled(toolset, dialect).tools)
    expect(tools({ operations: ["getTicket", "DELETE /tickets/{id}"] })).toEqual([
      "getTicket",
      "delete_tickets_id",
    ])
    expect(tools({ tags: ["read"] })).toEqual(["listTickets", "getTicket"])
    expect(tools({ tags: ["read"], operations: ["getTicket"] })).toEqual(["getTicket"])
  })
})

test("a YAML document is read from a file next to a config in ADK's form", () => {
  const document = [
    "openapi: 3.1.0",
    "servers: [{url: 'https://pets.test'}]",
    "paths:",
    "  /pets/{id}:",
    "    get:",
    "      operationId: getPet",
    "      parameters: [{name: id, in: path, required: true, schema: {type: [integer, 'null']}}]",
  ].join("\n")
  const agent = [
    "name: keeper",
    "model: any",
    "instruction: Work.",
    "tools:",
    "  - name: OpenAPIToolset",
    "    args: {document: apis/pets.yaml, tool_filter: [getPet], tool_name_prefix: zoo}",
  ].join("\n")
  const { chart, diagnostics } = compile(
    folderOf({ "root_agent.yaml": agent, "apis/pets.yaml": document }),
  )
  expect(diagnostics).toEqual([])
  expect(chart?.tools["zoo_getPet"]).toMatchObject({
    endpoint: { url: "https://pets.test/pets/{id}" },
  })
})

test("a workflow that is passed as text reads the document from its folder", () => {
  const config = {
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "any", instructions: "x", tools: ["desk"] }],
    globalTools: [
      { type: "OpenAPIToolset", id: "desk", document: "desk.json", operations: ["listTickets"] },
    ],
  }
  const folder = folderOf({ "desk.json": JSON.stringify(deskDocument) }, "workflow.json")
  const { chart, diagnostics } = compile(JSON.stringify(config), { folder })
  expect(Object.keys(chart?.tools ?? {})).toEqual(["listTickets"])
  expect(diagnostics.map(({ code }) => code)).toEqual(["credential_missing"])
})

/** Lets the model make one tool call and returns the result of the tool. */
async function call(
  interpreter: (typeof interpreters)[number],
  name: string,
  args: object,
  toolset: object = {},
): Promise<unknown> {
  const { asked, models } = scriptedModel({ clerk: [calls(name, args), { content: "done" }] })
  const chart = compiled({ baseUrl: base, ...toolset })
  await play(interpreter, chart, { models, http })
  return toldByTools(asked)
}

describe.each(interpreters)("the request of an operation (%s)", (interpreter) => {
  test("contains path, query and header arguments, and the API key of the query", async () => {
    const result = await call(interpreter, "listTickets", {
      status: ["open", "on hold"],
      labels: ["a", "b,c"],
      filter: { owner: "me", key: "x" },
      "X-Trace": "7",
      key: "forged",
    })
    expect(result).toEqual({ ok: true })
    expect(received[0]).toMatchObject({
      method: "GET",
      url: "/v1/tickets?key=k-1%2F%26&status=open&status=on%20hold&labels=a%2Cb%2Cc&filter%5Bowner%5D=me&filter%5Bkey%5D=x",
      headers: {
        "x-trace": "7",
        "x-tool-name": "listTickets",
        accept: "application/json, */*;q=0.5",
      },
      body: "",
    })
    expect(received[0]?.headers["idempotency-key"]).toMatch(/clerk/)
  })

  test("contains the JSON body, and basic authentication with a secret", async () => {
    await call(interpreter, "create_ticket", { body: { title: "Broken", parent: { title: "P" } } })
    expect(received[0]).toMatchObject({
      method: "POST",
      url: "/v1/tickets",
      body: '{"title":"Broken","parent":{"title":"P"}}',
      headers: {
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from('agent "7":p-33333333').toString("base64")}`,
      },
    })
  })

  test("contains an encoded path argument, which stays one segment", async () => {
    await call(interpreter, "getTicket", { id: "../admin?x={id}" })
    expect(received[0]?.url).toBe("/v1/tickets/..%2Fadmin%3Fx%3D%7Bid%7D")
    expect(received[0]?.headers.authorization).toBe("Bearer t-22222222")
  })

  test("contains an API key in a cookie", async () => {
    await call(interpreter, "delete_tickets_id", { id: "7" })
    expect(received[0]).toMatchObject({
      method: "DELETE",
      url: "/v1/tickets/7",
      headers: { cookie: "sid=s-44444444" },
    })
  })

  test.each([
    ["getTicket", { id: ".." }, /segment that consists of dots/],
    ["getTicket", {}, /do not match its parameters schema/],
    ["create_ticket", { body: { note: 1 } }, /do not match its parameters schema/],
  ])("is not sent for %s(%j)", async (name, args, error) => {
    const told = await call(interpreter, name, args)
    expect((told as { readonly error: string }).error).toMatch(error)
    expect(received).toEqual([])
  })

  test("fails with an error that contains the status and a part of the body with masked secrets", async () => {
    respond = ({ headers }) => ({
      status: 422,
      text: JSON.stringify({ got: headers.authorization, long: "x".repeat(5_000) }),
    })
    const told = (await call(interpreter, "getTicket", { id: "7" })) as { readonly error: string }
    expect(told.error).toMatch(/^tool "getTicket" of agent "clerk": GET .*\/tickets\/\{id\} .*422/)
    expect(told.error).not.toContain("t-22222222")
    expect(told.error.length).toBeLessThan(700)
  })

  test("is retried according to its activityConfig, with the same idempotency key", async () => {
    respond = () =>
      received.length < 2 ? { status: 503, text: "{}" } : { status: 200, text: '{"n": 2}' }
    const activityConfig = { retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" } }
    expect(await call(interpreter, "getTicket", { id: "7" }, { activityConfig })).toEqual({ n: 2 })
    expect(new Set(received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
    expect(received).toHaveLength(2)
  })

  test("waits for a confirmation if the toolset requires it", async () => {
    const { models } = scriptedModel({
      clerk: [calls("getTicket", { id: "7" }), { content: "done" }],
    })
    const chart = compiled({ baseUrl: base, requireConfirmation: true })
    const { controls } = begin(interpreter, chart, { models, http })
    await controls.whenSettled()
    const [pending] = controls.pending()
    expect(pending?.kind).toBe("approval")
    expect(received).toEqual([])
    await controls.approve(pending?.id ?? "")
    await controls.whenSettled()
    expect(received).toHaveLength(1)
  })
})
