import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import type { CompleteJournal } from "../../src/runtime/journal/journal.js"
import type { AgentServer } from "../../src/server/start-server.js"
import { asked, get, headers, orders, post, rounds, served } from "./paying-run.js"

const place = mkdtempSync(join(tmpdir(), "contradictory-http-"))
afterAll(() => rmSync(place, { recursive: true }))

describe(
  "three contradictory answers that are sent at once over HTTP",
  { timeout: 600_000 },
  () => {
    test("exactly one of three contradictory answers is accepted, and the others receive status 409", async () => {
      const { server, paid } = await served(place, jsonlJournal(join(place, "rounds")))
      const wrong: unknown[] = []
      for (let round = 0; round < rounds; round++) {
        const order = orders[round % orders.length] ?? []
        const runId = `http-${round}`
        const id = await asked(server, runId)
        const said = await Promise.all(
          order.map((verb) => post(server, `/v1/runs/${runId}/${verb}`, { id })),
        )
        await get(server, `/v1/runs/${runId}/result?wait=30`)
        const accepted = said.filter(({ status }) => status === 200).length
        const refused = said.filter(({ status }) => status === 409).length
        const winner = order[said.findIndex(({ status }) => status === 200)]
        const calls = paid.get(runId) ?? 0
        if (accepted !== 1 || refused !== 2 || calls !== (winner === "approve" ? 1 : 0))
          wrong.push({ round, order, said, calls })
      }
      expect(wrong).toEqual([])
    })
  },
)

/** Returns a JSON Lines journal that can delay its appends until the test releases them. */
function heldJournal(name: string) {
  const inner = jsonlJournal(join(place, name))
  let hold: Promise<void> | null = null
  let arrive = (): void => {}
  const journal: CompleteJournal = {
    ...inner,
    async append(runId, record) {
      if (record[0] === -1) arrive()
      await hold
      return inner.append(runId, record)
    },
  }
  return {
    journal,
    /** Delays all appends until `release` is called. `arrived` resolves when an answer arrives. */
    hold() {
      let release = (): void => {}
      hold = new Promise((resolve) => (release = resolve))
      const arrived = new Promise<void>((resolve) => (arrive = resolve))
      return { arrived, release }
    },
  }
}

interface Protocol {
  /** Approves a request and returns the response to the client. */
  approve(server: AgentServer, runId: string, id: string): Promise<string>
}

const protocols: Readonly<Record<string, Protocol & { readonly refusal: RegExp }>> = {
  REST: {
    refusal: /^409 .*request_unknown/,
    async approve(server, runId, id) {
      const { status, body } = await post(server, `/v1/runs/${runId}/approve`, { id })
      return `${status} ${JSON.stringify(body)}`
    },
  },
  "the signals of Graph Compose": {
    refusal: /^409 .*request_unknown/,
    async approve(server, runId, id) {
      const path = `/api/v1/workflows/${runId}/adk/clerk/signals/confirm_action`
      const { status, body } = await post(server, path, { request_id: id, confirmed: true })
      return `${status} ${JSON.stringify(body)}`
    },
  },
  A2A: {
    refusal: /"error":.*request .* is not pending/,
    async approve(server, runId, id) {
      const data = { request: id, approved: true }
      const message = { messageId: "m", role: "ROLE_USER", taskId: runId, parts: [{ data }] }
      const request = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }
      const response = await fetch(`${server.url}/a2a/pay`, {
        method: "POST",
        headers: { ...headers, "A2A-Version": "1.0" },
        body: JSON.stringify(request),
      })
      return response.text()
    },
  },
  "AG-UI": {
    refusal: /RUN_ERROR.*request_unknown/,
    async approve(server, runId, id) {
      const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }]
      const body = { threadId: runId, runId: "1", messages: [], tools: [], context: [], resume }
      const response = await fetch(`${server.url}/ag-ui/pay`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      })
      return response.text()
    },
  },
  MCP: {
    refusal: /request_unknown/,
    async approve(server, runId, id) {
      const client = new Client({ name: "test", version: "1" })
      const url = new URL(`${server.url}/mcp`)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      const answer = { runId, request: id, approved: true }
      const result = await client.callTool({ name: "answer_run", arguments: answer })
      await client.close()
      return JSON.stringify(result)
    },
  },
}

describe.each(Object.entries(protocols))("an approval over %s", (name, { approve, refusal }) => {
  test("an approval fails while a rejection of the same request is being stored, and afterwards", async () => {
    const { journal, hold } = heldJournal(`held-${name}`)
    const { server, paid } = await served(place, journal)
    const id = await asked(server, "r")
    const { arrived, release } = hold()
    const rejected = post(server, "/v1/runs/r/reject", { id })
    await arrived
    expect(await approve(server, "r", id)).toMatch(refusal)
    release()
    expect(await rejected).toMatchObject({ status: 200 })
    await get(server, "/v1/runs/r/result?wait=30")
    expect(await approve(server, "r", id)).toMatch(
      /request_unknown|run_finished|finished|not open|is open|not pending/,
    )
    expect(paid.get("r")).toBeUndefined()
  })

  test("an approval is accepted if it is the first answer", async () => {
    const { server, paid } = await served(place, jsonlJournal(join(place, `free-${name}`)))
    const id = await asked(server, "r")
    expect(await approve(server, "r", id)).not.toMatch(refusal)
    await get(server, "/v1/runs/r/result?wait=30")
    expect(paid.get("r")).toBe(1)
  })
})

describe("an answer over HTTP that cannot be stored", () => {
  test("the sender receives status 503, and the next answer is accepted", async () => {
    let isBroken = false
    const inner = jsonlJournal(join(place, "broken"))
    const { server, paid } = await served(place, {
      ...inner,
      async append(runId, record) {
        if (isBroken) throw new Error("the disk is gone")
        return inner.append(runId, record)
      },
    })
    const id = await asked(server, "r")
    isBroken = true
    expect(await post(server, "/v1/runs/r/approve", { id })).toMatchObject({
      status: 503,
      body: { code: "journal_failed" },
    })
    isBroken = false
    expect(await post(server, "/v1/runs/r/reject", { id })).toMatchObject({ status: 200 })
    expect(await post(server, "/v1/runs/r/approve", { id })).toMatchObject({ status: 409 })
    expect(paid.get("r")).toBeUndefined()
  })
})

test("an approval over A2A that names an unknown request approves nothing", async () => {
  const { server, paid } = await served(place, jsonlJournal(join(place, "named")))
  await asked(server, "r")
  expect(await protocols["A2A"]?.approve(server, "r", "clerk#7")).toMatch(
    /request .* is not pending/,
  )
  expect(paid.get("r")).toBeUndefined()
})
