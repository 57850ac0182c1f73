import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { CompleteJournal, Journal } from "../../src/runtime/journal/journal.js"
import type { AgentServer } from "../../src/server/start-server.js"
import { startServer } from "../../src/server/start-server.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, httpTool, llm } from "../support/workflow.js"

/** The number of rounds. `CONTRADICTORY_ROUNDS=1000` runs the long version. */
export const rounds = Number(process.env["CONTRADICTORY_ROUNDS"] ?? 100)

/** Asks a person to approve a payment, and ends when the payment was made or rejected. */
const payer = {
  rootAgentId: "clerk",
  initialUserInput: "go",
  globalTools: [httpTool("pay")],
  agents: [llm("clerk", { tools: ["pay"] })],
}
export const payCall = { id: "c1", function_name: "pay", function_args: { amount: 1000 } }
const asks = { content: null, toolCalls: [payCall], hitlRequest: { prompt: "Pay?" } }
const ends = { content: "done", exitFlow: true }

export const payChart = chartOf(payer.agents, payer)
export const paying = () => scriptedServices({ clerk: [asks, ends] }, { pay: [{ paid: true }] })

export const orders: readonly (readonly ("approve" | "reject")[])[] = [
  ["approve", "reject", "approve"],
  ["reject", "approve", "reject"],
  ["reject", "approve", "approve"],
  ["approve", "approve", "reject"],
]

/** Returns a journal that can delay its appends. The test then lets the delayed appends succeed or fail. */
export function slowJournal() {
  const inner = memoryJournal()
  const waiting: { readonly store: () => void; readonly fail: (error: Error) => void }[] = []
  let isSlow = false
  const journal: Journal = {
    ...inner,
    append: (runId, record) =>
      isSlow
        ? new Promise((resolve, reject) =>
            waiting.push({ store: () => resolve(inner.append(runId, record)), fail: reject }),
          )
        : inner.append(runId, record),
  }
  return {
    journal,
    inner,
    slow: () => void (isSlow = true),
    /** Stores the delayed records. Later records are stored immediately. */
    store() {
      isSlow = false
      for (const { store } of waiting.splice(0)) store()
    },
    fail() {
      isSlow = false
      for (const { fail } of waiting.splice(0)) fail(new Error("the disk is gone"))
    },
  }
}

/** Starts a server with the workflow `pay`. `paid` counts the payments of each run. */
export async function served(
  place: string,
  journal: CompleteJournal,
): Promise<{ readonly server: AgentServer; readonly paid: ReadonlyMap<string, number> }> {
  const folder = join(place, "served")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "pay.json"), JSON.stringify(payer))
  const paid = new Map<string, number>()
  const calls = {
    http: {
      model: {
        call: async ({ messages }: { readonly messages: readonly unknown[] }) =>
          messages.length > 2 ? ends : asks,
      },
      tool: {
        call: async ({ runId }: { readonly runId: string }) => {
          paid.set(runId, (paid.get(runId) ?? 0) + 1)
          return { paid: true }
        },
      },
    },
  }
  const server = await startServer({
    scripted: false,
    version: "0",
    mcp: true,
    path: folder,
    journal,
    openServices: () => Promise.resolve({ calls, close: () => Promise.resolve() }),
    token: "the-token",
    perSecond: 0,
  })
  onTestFinished(() => server.close())
  return { server, paid }
}

export const headers = { authorization: "Bearer the-token", "content-type": "application/json" }

export async function post({ url }: AgentServer, path: string, body: object) {
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
  return {
    status: response.status,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  }
}

export const get = async ({ url }: AgentServer, path: string): Promise<unknown> =>
  (await fetch(url + path, { headers })).json()

/** Starts a run and returns the id of its pending request. */
export async function asked(server: AgentServer, runId: string): Promise<string> {
  await post(server, "/v1/runs", { workflow: "pay", runId })
  const { pending } = (await get(server, `/v1/runs/${runId}/result?wait=30`)) as {
    readonly pending: readonly { readonly id: string }[]
  }
  return pending[0]?.id ?? "none"
}
