import { createServer } from "node:http"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { postgresJournal } from "../../src/adapters/journal/postgres/index.js"
import { scheduledRunOf } from "../../src/runtime/journal/schedule-run-id.js"
import type { RunSummary } from "../../src/runtime/journal/journal.js"
import { isBuilt } from "../cli/command.js"
import type { Answer, TestServer } from "../server/test-server.js"
import { startServerProcess } from "../server/test-server.js"
import { eventually } from "../support/eventually.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { seed } from "../support/random-cases.js"
import { startReceiver } from "../support/webhook-receiver.js"
import { randomFrom } from "./random.mjs"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

/** `SERVER_RUNS=2000 SERVER_KILLS=40` runs the test with more runs and kills. */
const runCount = Number(process.env["SERVER_RUNS"] ?? 60)
const kills = Number(process.env["SERVER_KILLS"] ?? 4)
const serverCount = 4
/** Number of runs that clients drive at the same time. */
const concurrency = 24

/** Models over HTTP that count the calls of each idempotency key. */
async function startModels() {
  const calls = new Map<string, number>()
  const server = createServer((request, response) => {
    request.resume()
    request.on("error", () => {})
    request.on("end", () => {
      const key = String(request.headers["idempotency-key"])
      calls.set(key, (calls.get(key) ?? 0) + 1)
      const body = {
        content: `Answer to ${key}`,
        ...(request.url === "/clerk" && { exitFlow: true }),
      }
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify(body))
      }, 100)
    })
  })
  // A busy client may use an idle connection in the moment in which the server closes it.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    calls,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => (server.closeAllConnections(), server.close()),
  }
}

const workflow = (base: string) => ({
  rootAgentId: "line",
  agents: [
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: ["writer", "boss", "clerk"].map((agentId) => ({ agentId })),
    },
    { type: "LlmAgent", id: "writer", httpConfig: { url: `${base}/writer`, method: "POST" } },
    { type: "HumanAgent", id: "boss", prompt: "May we?", outputKey: "verdict" },
    { type: "LlmAgent", id: "clerk", httpConfig: { url: `${base}/clerk`, method: "POST" } },
  ],
})

/** Each due time starts a run of this workflow, which makes one call. */
const ticking = (base: string) => ({
  rootAgentId: "tick",
  agents: [{ type: "LlmAgent", id: "tick", httpConfig: { url: `${base}/clerk`, method: "POST" } }],
})

const schedules = {
  schedules: [
    { name: "ticks", workflow: "tick", every: "1s", missed: "run-all", overlap: "allow" },
  ],
}

describe.skipIf(!isBuilt || !isThere)("four servers with one PostgreSQL database", () => {
  test("each run ends once, each due time has one run, and each event is delivered although servers are killed", async () => {
    const random = randomFrom(seed)
    const place = mkdtempSync(join(tmpdir(), "servers-"))
    const [models, postgres] = [await startModels(), await startPostgres()]
    const url = postgres.url.replace(/agents$/, "postgres")
    mkdirSync(join(place, "line"))
    writeFileSync(join(place, "line/workflow.json"), JSON.stringify(workflow(models.base)))
    mkdirSync(join(place, "tick"))
    writeFileSync(join(place, "tick/workflow.json"), JSON.stringify(ticking(models.base)))
    writeFileSync(join(place, "schedules.json"), JSON.stringify(schedules))
    const receiver = await startReceiver()
    process.env["EVENTS_SECRET"] = `whsec_${Buffer.alloc(32).toString("base64")}`
    const webhooks = {
      outgoing: [{ name: "events", url: receiver.url, secret: "EVENTS_SECRET", timeout: "3s" }],
    }
    writeFileSync(join(place, "webhooks.json"), JSON.stringify(webhooks))
    const withSchedules = ["--schedules", join(place, "schedules.json")]
    const serve = (more: readonly string[] = withSchedules) =>
      startServerProcess(place, url, [
        ...more,
        "--webhooks",
        join(place, "webhooks.json"),
        "--token",
        "test-token",
        "--resume",
        "--rate",
        "0",
        "--allow-private-addresses",
      ])
    const servers: TestServer[] = await Promise.all(
      Array.from({ length: serverCount }, () => serve()),
    )
    const anyServer = (): TestServer => servers[Math.floor(random() * servers.length)] as TestServer

    /** Sends a request to one server after the other until one accepts it, also while servers are killed. */
    const ask = async (path: string, body?: unknown): Promise<Answer> => {
      for (;;) {
        const answer = await anyServer()
          .ask(path, body === undefined ? {} : { method: "POST", body })
          .catch(() => null)
        if (answer !== null && answer.status < 500) return answer
        await sleep(20)
      }
    }
    let ended = 0
    const drive = async (runId: string): Promise<void> => {
      for (;;) {
        const { status } = await ask("/v1/runs", { workflow: "line", prompt: "Go", runId })
        if (status === 201 || status === 409) break
      }
      for (;;) {
        const { body } = await ask(`/v1/runs/${runId}`)
        if (body["status"] === "completed") break
        if (body["status"] === "failed") throw new Error(`run ${runId}: ${JSON.stringify(body)}`)
        const [request] = (body["pending"] ?? []) as readonly { readonly id: string }[]
        if (request !== undefined)
          await ask(`/v1/runs/${runId}/answer`, { id: request.id, value: `yes ${runId}` })
        else await sleep(30)
      }
      ended++
    }

    let isOver = false
    let killed = 0
    const starting = new Map<number, Promise<void>>()
    const killing = (async () => {
      while (killed < kills && !isOver) {
        // The kills are distributed over the whole time of the runs.
        while (ended < (runCount * (killed + 0.5)) / (kills + 1) && !isOver) await sleep(5)
        await sleep(random() * 100)
        const alive = [...servers.keys()].filter((index) => !starting.has(index))
        const index = alive[Math.floor(random() * alive.length)]
        if (index === undefined) continue
        await servers[index]?.stop("SIGKILL")
        killed++
        // Other servers are killed while this one starts.
        const started = serve().then((server) => {
          servers[index] = server
          starting.delete(index)
        })
        starting.set(index, started)
      }
      await Promise.all(starting.values())
    })()
    const began = Date.now()
    const waiting = Array.from({ length: runCount }, (_, n) => `run-${n}`)
    const drivers = Array.from({ length: Math.min(concurrency, runCount) }, async () => {
      for (let runId = waiting.shift(); runId !== undefined; runId = waiting.shift())
        await drive(runId)
    })
    try {
      await Promise.all(drivers)
      isOver = true
      await killing
      const seconds = (Date.now() - began) / 1000
      const repeated = [...models.calls.values()].reduce((sum, times) => sum + times - 1, 0)
      console.log(
        `${runCount} runs, ${killed} kills, ${seconds.toFixed(1)} s, ${repeated} calls in flight repeated with the same key, ${models.calls.size - 2 * runCount} scheduled runs`,
      )
      await Promise.all(servers.map((server) => server.stop()))
      // The last scheduled runs may be interrupted.
      const last = await serve([])
      const areRunning = async (): Promise<boolean> => {
        const { body } = await last.ask("/v1/runs?status=running&limit=1")
        return (body["runs"] as readonly unknown[]).length > 0
      }
      while (await areRunning()) await sleep(50)
      // Deliveries of a killed server continue when its claims have ended.
      await eventually(async () => {
        const { body } = await last.ask("/v1/runs?limit=100000")
        const missing = new Set((body["runs"] as readonly RunSummary[]).map(({ runId }) => runId))
        for (const { body: message } of receiver.messages)
          if (message.type === "run.finished") missing.delete(String(message.data["runId"]))
        expect([...missing]).toEqual([])
      })
      await last.stop()
      const delivered = new Map<unknown, Set<string>>()
      for (const { body } of receiver.messages) {
        const types = delivered.get(body.data["runId"]) ?? new Set()
        delivered.set(body.data["runId"], types.add(body.type))
      }

      const journal = postgresJournal(url)
      const all = await journal.list()
      const runs = all.filter(({ runId }) => scheduledRunOf(runId) === null)
      const dueTimes = all.flatMap(({ runId }) => {
        const run = scheduledRunOf(runId)
        return run === null ? [] : [Date.parse(run.dueTime)]
      })
      const [first = 0] = dueTimes.sort((one, other) => one - other)
      expect(dueTimes).toEqual(dueTimes.map((_, n) => first + n * 1_000))
      expect(dueTimes.length).toBeGreaterThan(0)
      expect(all.filter(({ status, owner }) => status !== "completed" || owner !== null)).toEqual(
        [],
      )
      expect(runs.map(({ runId }) => runId).sort()).toEqual(
        Array.from({ length: runCount }, (_, n) => `run-${n}`).sort(),
      )
      for (const { runId } of runs) {
        // A set keeps the order in which its elements were first added.
        expect([...(delivered.get(runId) ?? [])]).toEqual([
          "run.started",
          "human.asked",
          "run.finished",
        ])
        const records = (await journal.load(runId))?.records ?? []
        // Two results and one answer. An answer that was accepted twice would be a fourth record.
        expect(records.filter(([n]) => n !== -1).map(([n]) => n)).toEqual([0, 1])
        expect(records.filter(([n]) => n === -1)).toHaveLength(1)
      }
      await journal.close()
      // Each call has one key, also if it was in flight when a server was killed.
      expect(models.calls.size).toBe(2 * runCount + dueTimes.length)
      expect(killed).toBe(kills)
      // Only calls in flight are repeated. A killed server has at most one call for each driven run
      // and each scheduled run.
      expect(repeated).toBeLessThanOrEqual(kills * concurrency + dueTimes.length)
    } finally {
      isOver = true
      await Promise.allSettled(servers.map((server) => server.stop("SIGKILL")))
      models.close()
      await receiver.close()
      delete process.env["EVENTS_SECRET"]
      await postgres.stop()
      rmSync(place, { recursive: true })
    }
  }, 900_000)
})
