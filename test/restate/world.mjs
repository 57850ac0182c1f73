import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { AgentStatechartsError } from "agent-statecharts"
import { restateClient } from "agent-statecharts/adapters/engine/restate"
import { freePorts, query, register, restateNodes } from "../../engines/restate/server.mjs"
import { startService } from "../kill/service.mjs"
import { patiently } from "./patiently.mjs"

const program = fileURLToPath(new URL("./service.mjs", import.meta.url))

/** The process that executes runs. After a kill, it can be started again on the same port. */
function serviceProcess(port, told, log) {
  let child = null
  process.once("exit", () => child?.kill("SIGKILL"))
  return {
    start: () =>
      new Promise((resolve, reject) => {
        const out = openSync(log, "a")
        const started = spawn(process.execPath, [program, String(port), told], {
          stdio: ["ignore", out, out, "ipc"],
          env: { ...process.env, RESTATE_LOGGING: "WARN" },
        })
        closeSync(out)
        child = started
        started.once("message", resolve)
        started.once("exit", (code) => reject(new Error(`the service has ended with code ${code}`)))
      }),
    async kill() {
      const dying = child
      child = null
      if (dying === null || dying.exitCode !== null || dying.signalCode !== null) return
      dying.kill("SIGKILL")
      await new Promise((resolve) => dying.once("exit", resolve))
    },
  }
}

/** Starts a server to which runs send their checkpoints. It keeps the latest checkpoints of each run. */
async function checkpointBoard() {
  const told = new Map()
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += chunk))
    request.on("end", () => {
      const { runId, checkpoints } = JSON.parse(text)
      told.set(runId, checkpoints)
      response.end()
    })
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    of: (runId) => told.get(runId),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  }
}

const partitions = 1

/** Starts real Restate servers, the process that executes runs, and the services that it calls, all on this machine. */
export async function openWorld(count, folder) {
  const asked = new Map()
  const calls = await startService((runId) => asked.get(runId)?.())
  const board = await checkpointBoard()
  const [port] = await freePorts(1)
  const service = serviceProcess(port, board.url, join(folder, "service.log"))
  const nodes = await restateNodes(count, folder, { partitions })
  const down = new Set()
  for (const node of nodes) node.start()
  await Promise.all([...nodes.map((node) => node.ready()), service.start()])
  const alive = () => nodes.find((node) => !down.has(node)) ?? nodes[0]

  const world = {
    nodes,
    calls,
    board,
    service,
    /** Calls `action` for each call of this run to a service. */
    watch: (runId, action) => asked.set(runId, action),
    runs: () => restateClient({ url: alive().ingress }),
    admin: () => alive().admin,
    query: (sql) => query(alive().admin, sql),
    async killNode(node) {
      down.add(node)
      await node.kill()
    },
    /**
     * Waits until each partition has had the same leader for two seconds. A cluster moves leaders
     * when it loses or regains a node.
     */
    async settled(withinMs = 60_000) {
      let [since, before] = [Date.now(), ""]
      for (const until = Date.now() + withinMs; Date.now() < until; await sleep(200)) {
        const leads = await Promise.all(nodes.map((node) => (down.has(node) ? 0 : node.leads())))
        if (leads.join() !== before) since = Date.now()
        before = leads.join()
        if (leads.reduce((sum, count) => sum + (count ?? 0), 0) !== partitions) since = Date.now()
        if (Date.now() - since > 2_000) return nodes.filter((_, n) => leads[n] > 0)
      }
      throw new Error(`the partitions had no steady leaders within ${withinMs} ms`)
    },
    async startNode(node) {
      if (!down.has(node)) return
      node.start()
      await node.ready()
      down.delete(node)
    },
    /** Retries until Restate answers, because servers are killed, and because a run is unknown until it begins. */
    async ask(question, withinMs = 60_000) {
      for (const until = Date.now() + withinMs; ; await sleep(30)) {
        try {
          return await question(world.runs())
        } catch (error) {
          const passes =
            error instanceof AgentStatechartsError &&
            ["service_unreachable", "run_unknown"].includes(error.code)
          if (!passes || Date.now() > until) throw error
        }
      }
    },
    async close() {
      await service.kill()
      await Promise.all(nodes.map((node) => node.kill()))
      await calls.close()
      await board.close()
    },
  }
  await patiently(() => register(world.admin(), `http://127.0.0.1:${port}`))
  return world
}
