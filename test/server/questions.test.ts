import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Interrupt } from "@ag-ui/client"
import { HttpAgent } from "@ag-ui/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/client/index.js"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { httpClient, textOf } from "./mcp-clients.js"
import { differences } from "./open-api-check.js"
import type { TestServer } from "./test-server.js"
import { startTestServer } from "./test-server.js"

const publish = {
  rootAgentId: "editor",
  state: { article: "Tea.\nIt is hot." },
  agents: [
    {
      type: "HumanAgent",
      id: "editor",
      prompt: "Publish this?",
      choices: ["publish", "reject"],
      show: ["article"],
      outputKey: "decision",
    },
  ],
}

const question = {
  prompt: "Publish this?",
  choices: ["publish", "reject"],
  shown: { article: "Tea.\nIt is hot." },
}

describe.skipIf(!isBuilt)("questions with choices, and approvals", () => {
  let place: string
  let server: TestServer

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "questions-"))
    const work = join(place, "work")
    mkdirSync(work)
    writeFileSync(join(work, "publish.json"), JSON.stringify(publish))
    cpSync(join(projectFolder, "examples/human-approval"), join(work, "human-approval"), {
      recursive: true,
    })
    server = await startTestServer(work, join(place, "runs"), [
      "--scripted",
      "--mcp",
      "--token",
      "test-token",
    ])
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  const agUi = (workflow: string): HttpAgent =>
    new HttpAgent({
      url: `${server.origin}/ag-ui/${workflow}`,
      headers: { authorization: "Bearer test-token" },
      initialMessages: [{ id: "m1", role: "user", content: "Go." }],
    })

  test("the HTTP API returns the choices of a question, and rejects another answer", async () => {
    const client = createClient({ url: server.origin, token: "test-token" })
    const run = await client.start({ workflow: "publish" })
    const { pending } = await run.whenSettled()
    expect(pending).toMatchObject([{ ...question, answerSchema: { enum: question.choices } }])
    const { body: document } = await server.ask("/openapi.json")
    const path = `/v1/runs/${run.id}`
    expect(differences(document, "GET", path, await server.ask(path))).toEqual([])
    const id = pending[0]?.id ?? ""
    await expect(run.answer(id, "perhaps")).rejects.toMatchObject({
      code: "input_refused",
      message: expect.stringContaining('"publish", "reject"') as string,
    })
    await run.answer(id, "PUBLISH ")
    expect(await run.whenSettled()).toMatchObject({
      status: "completed",
      state: { decision: "publish" },
    })
  })

  test("AG-UI sends a question with choices as an interrupt", async () => {
    const agent = agUi("publish")
    await agent.runAgent()
    const interrupt = agent.pendingInterrupts[0] as Interrupt
    expect(interrupt).toMatchObject({
      message: question.prompt,
      responseSchema: { enum: question.choices },
      metadata: { choices: question.choices, shown: question.shown },
    })
    const answer = { interruptId: interrupt.id, status: "resolved", payload: "Reject" } as const
    await agent.runAgent({ resume: [answer] })
    expect(agent.state).toMatchObject({ decision: "reject" })
  })

  test("MCP clients receive a question with choices as a form or as text", async () => {
    const forms: unknown[] = []
    const client = await httpClient(server.origin, {
      person: (asked) => {
        forms.push(asked)
        return { action: "accept", content: { answer: "publish" } }
      },
    })
    const done = await client.callTool({ name: "publish", arguments: { prompt: "Go." } })
    expect(forms).toMatchObject([
      {
        message: "Publish this?\narticle: Tea.\nIt is hot.\nChoices: publish, reject",
        requestedSchema: { properties: { answer: { enum: question.choices } } },
      },
    ])
    expect(done.structuredContent).toMatchObject({ state: { decision: "publish" } })

    const plain = await httpClient(server.origin)
    const asked = await plain.callTool({ name: "publish", arguments: { prompt: "Go." } })
    expect(asked.structuredContent).toMatchObject({ status: "waiting", pending: [question] })
    expect(textOf(asked)).toContain("Choices: publish, reject")
  })

  test("a query of Graph Compose returns the choices and the shown state of a question", async () => {
    const { body } = await server.ask("/v1/runs", { method: "POST", body: { workflow: "publish" } })
    const runId = String(body["runId"])
    await server.ask(`/v1/runs/${runId}/result?wait=30`)
    const answer = await server.ask(
      `/api/v1/workflows/${runId}/adk/publish/queries/get_pending_confirmation_details`,
    )
    expect(answer.body).toMatchObject({
      data: {
        queryResult: { "editor#0": { choices: question.choices, shown_state: question.shown } },
      },
    })
  })

  test("the message of an A2A task contains a question with choices", async () => {
    const { body } = await server.ask("/a2a/publish", {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Go." }] } },
      },
    })
    expect(body).toMatchObject({
      result: {
        task: {
          status: {
            state: "TASK_STATE_INPUT_REQUIRED",
            message: {
              parts: [
                { text: "Publish this?\narticle: Tea.\nIt is hot.\nChoices: publish, reject" },
                { data: { requests: [question] } },
              ],
            },
          },
        },
      },
    })
  })

  test("an approval has the parameters of the proposed call, and edited arguments must match them", async () => {
    const agent = agUi("human-approval")
    await agent.runAgent()
    const interrupt = agent.pendingInterrupts[0] as Interrupt
    expect(interrupt).toMatchObject({
      responseSchema: {
        properties: {
          args: {
            properties: { amount: { type: "number" } },
            required: ["invoice", "amount", "iban"],
          },
        },
      },
    })
    const args = { invoice: "INV-2291", amount: "lots", iban: "DE02" }
    const refused = await server.ask(`/v1/runs/${agent.threadId}/approve`, {
      method: "POST",
      body: { id: interrupt.id, args },
    })
    expect(refused.body).toMatchObject({
      code: "input_refused",
      message: expect.stringMatching(/"pay_invoice".*\/amount/) as string,
    })
    expect((await server.ask(`/v1/runs/${agent.threadId}`)).body).toMatchObject({
      status: "waiting",
      pending: [{ id: interrupt.id }],
    })
  })
})
