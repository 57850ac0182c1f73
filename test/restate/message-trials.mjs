import assert from "node:assert/strict"
import { createServer } from "node:http"
import { execFile, spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { compile } from "agent-statecharts"
import { cancelInvocation, freePorts, register } from "../../engines/restate/server.mjs"
import { patiently } from "./patiently.mjs"

const chartOf = (config) => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
  return chart
}

const side = (id, agents) => ({ type: "ParallelAgent", id, subAgents: agents.map((agent) => ({ agentId: agent.id })) })

/** Starts a run of people who are asked side by side, and waits until all of them are. */
async function asking(world, runId, count) {
  const people = Array.from({ length: count }, (_, n) => ({ type: "HumanAgent", id: `person_${n}`, prompt: "Well?", outputKey: `said_${n}` }))
  await world.ask((runs) => runs.start(runId, { chart: chartOf({ rootAgentId: "all", agents: [side("all", people), ...people] }) }))
  const requests = await until(async () => {
    const { pending } = await world.ask((runs) => runs.status(runId))
    return pending.length === count ? pending : null
  })
  return requests
}

async function until(look, withinMs = 20_000) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`nothing came within ${withinMs} ms`)
}

/** A service that takes calls and answers none. */
async function silentService() {
  const closed = []
  const keys = []
  const server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"])
    response.on("close", () => closed.push(performance.now()))
    request.resume()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, keys, closed, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) }
}

/** Starts a run that asks the service three times at once, and waits until it does. */
async function askingThrice(world, runId, service) {
  const agents = ["one", "two", "three"].map((id) => ({ type: "LlmAgent", id, httpConfig: { url: service.url, method: "POST" } }))
  await world.ask((runs) => runs.start(runId, { chart: chartOf({ rootAgentId: "all", agents: [side("all", agents), ...agents], state: { kept: "yes" } }) }))
  await until(async () => (service.keys.length === 3 ? true : null))
}

const allClosed = (service, count) => until(async () => (service.closed.length === count ? Math.max(...service.closed) : null))

/** How long it takes from the order to cancel until the service has seen the last of three sockets close. */
async function cancelTime(world, runId, cancel) {
  const service = await silentService()
  try {
    await askingThrice(world, runId, service)
    const give = await cancel(runId)
    const ordered = performance.now()
    await give()
    const { status, state } = await world.ask((runs) => runs.result(runId))
    assert.deepEqual({ status, kept: state.kept }, { status: "cancelled", kept: "yes" })
    const last = await allClosed(service, 3)
    assert.equal(service.keys.length, 3, "a cancelled call was made again")
    return last - ordered
  } finally {
    await service.close()
  }
}

async function invocationOf(world, runId) {
  const [row] = await world.query(`SELECT id, status FROM sys_invocation WHERE target_service_key = '${runId}' AND target_handler_name = 'run'`)
  return row
}

/** By name, each throws where something is not as it should be, and may tell what it measured. */
export const messageTrials = {
  async "messages that come at once are all taken, each once"(world, name) {
    const requests = await asking(world, name, 12)
    await Promise.all(requests.map(({ id }, n) => world.runs().give(name, { type: "answer", id, value: n })))
    const { status, state } = await world.runs().result(name)
    assert.equal(status, "completed")
    const { refused } = await world.runs().status(name)
    assert.deepEqual(refused, [])
    requests.forEach(({ agent }, n) => assert.equal(state[agent.replace("person", "said")], n))
  },
  async "a message is refused to its sender, or where it is too late for that in the run, and the status tells"(world, name) {
    const [first] = await asking(world, name, 2)
    await assert.rejects(world.runs().give(name, { type: "answer", id: "nobody#0", value: 1 }), { code: "request_unknown" })
    await assert.rejects(world.runs().give(name, { type: "approve", id: first.id }), { code: "input_refused" })
    await assert.rejects(world.runs().give(name, { type: "shout" }), { code: "input_refused" })
    // All pass at the door, as nothing has happened yet; the run takes the one that comes first.
    const given = await Promise.allSettled(Array.from({ length: 4 }, (_, value) => world.runs().give(name, { type: "answer", id: first.id, value })))
    const accepted = given.filter(({ status }) => status === "fulfilled").length
    const { refused, pending } = await until(async () => {
      const status = await world.runs().status(name)
      return status.refused.length === accepted - 1 ? status : null
    })
    assert.deepEqual([...new Set(refused.map(({ code }) => code))], accepted > 1 ? ["request_unknown"] : [])
    assert.equal(pending.length, 1)
    await world.runs().give(name, { type: "cancel" })
    assert.equal((await world.runs().result(name)).status, "cancelled")
    await assert.rejects(world.runs().give(name, { type: "cancel" }), { code: "run_finished" })
  },
  async "a message that was sent twice under one key is given once"(world, name) {
    const [first] = await asking(world, name, 2)
    const give = () => world.runs().give(name, { type: "answer", id: first.id, value: 1 }, { idempotencyKey: `${name}/answer` })
    await Promise.all([give(), give(), give()])
    const snapshot = await world.runs().snapshot(name)
    assert.equal(snapshot.state[first.agent.replace("person", "said")] ?? 1, 1)
    await world.runs().give(name, { type: "end" })
    const { refused, status } = (await world.runs().result(name), await world.runs().status(name))
    assert.deepEqual({ refused, status }, { refused: [], status: "completed" })
  },
  async "a run that waits for a person only is put to rest, and goes on in whoever is there then"(world, name) {
    const [first] = await asking(world, name, 1)
    await until(async () => ((await invocationOf(world, name)).status === "suspended" ? true : null))
    await world.service.kill()
    await world.service.start()
    await world.ask((runs) => runs.give(name, { type: "answer", id: first.id, value: "late" }))
    assert.equal((await world.runs().result(name)).state.said_0, "late")
  },
  async "calls in flight are let go when the server is lost, and made again under their keys when it is back"(world, name) {
    const service = await silentService()
    try {
      await askingThrice(world, name, service)
      const killed = performance.now()
      await world.killNode(world.nodes[0])
      const last = await allClosed(service, 3)
      assert.ok(last - killed < 1_000, `the sockets were open for ${last - killed} ms more`)
      await world.startNode(world.nodes[0])
      await until(async () => (service.keys.length === 6 ? true : null))
      assert.deepEqual(service.keys.slice(3).sort(), service.keys.slice(0, 3).sort())
      await world.ask((runs) => runs.give(name, { type: "cancel" }))
      await allClosed(service, 6)
      return `${Math.round(last - killed)} ms`
    } finally {
      await service.close()
    }
  },
  async "a call that takes longer than Restate waits for a sign is made once, and the run goes on with its result"(world, name) {
    const keys = []
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"])
      setTimeout(() => response.end(JSON.stringify({ content: "late" })), 4_500)
      request.resume()
    })
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    try {
      const agents = [{ type: "LlmAgent", id: "slow", httpConfig: { url: `http://127.0.0.1:${server.address().port}/`, method: "POST" } }, { type: "SequentialAgent", id: "all", subAgents: [{ agentId: "slow" }] }]
      await world.runs().start(name, { chart: chartOf({ rootAgentId: "all", agents }) })
      const { status, text } = await world.runs().result(name)
      assert.deepEqual({ status, text, times: keys.length }, { status: "completed", text: "late", times: 1 })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  async "a conversation rests between its turns, and goes on when the user does"(world, name) {
    const order = { chart: chartOf({ agent_class: "LlmAgent", name: "listener", model: "echo" }), prompt: "one", conversation: true }
    const rested = (text) =>
      until(async () => {
        const status = await world.ask((runs) => runs.status(name))
        return status.status === "completed" && status.text === text ? status : null
      })
    await world.runs().start(name, order)
    await rested("1: one")
    await world.runs().give(name, { type: "say", content: "two" })
    assert.equal((await rested("2: two")).isOver, false)
    await world.service.kill()
    await world.service.start()
    await world.ask((runs) => runs.give(name, { type: "say", content: "three" }))
    await rested("3: three")
    await world.runs().give(name, { type: "end" })
    const { status, text } = await world.runs().result(name)
    assert.deepEqual({ status, text }, { status: "completed", text: "3: three" })
    // Without `conversation` a run is over with its first turn.
    await world.runs().start(`${name}-turn`, { ...order, conversation: false })
    assert.equal((await world.runs().result(`${name}-turn`)).text, "1: one")
    await assert.rejects(world.runs().result(`${name}-nobody`), { code: "run_unknown" })
  },
  async "a run that was started twice runs once"(world, name) {
    const people = [{ type: "HumanAgent", id: "boss", prompt: "Well?" }]
    const order = { chart: chartOf({ rootAgentId: "boss", agents: people }) }
    const started = await Promise.all([1, 2, 3].map(() => world.runs().start(name, order)))
    assert.deepEqual(started.map(({ isNew }) => isNew).sort(), [false, false, true])
    await world.ask((runs) => runs.give(name, { type: "cancel" }))
    await world.runs().result(name)
    await world.runs().start(`${name}-bad`, { chart: {} })
    await assert.rejects(world.runs().result(`${name}-bad`), { code: "chart_invalid" })
  },
}

const programOf = (name) => fileURLToPath(new URL(`../../examples/engines/${name}`, import.meta.url))

/** The programs of the examples, with a service of their own. */
export async function exampleTrial(world) {
  const [port] = await freePorts(1)
  const service = spawn(process.execPath, [programOf("restate-serve.mjs")], { env: { ...process.env, PORT: String(port), RESTATE_LOGGING: "ERROR" }, stdio: "ignore" })
  try {
    await patiently(() => register(world.admin(), `http://127.0.0.1:${port}`))
    const { stdout } = await promisify(execFile)(process.execPath, [programOf("restate-order.mjs")], { env: { ...process.env, RESTATE_INGRESS: world.nodes[0].ingress }, timeout: 30_000 })
    assert.equal(stdout, "Is it good? A poem about a statechart: boxes, arrows, and nobody lost.\ncompleted: It is.\n")
  } finally {
    service.kill("SIGKILL")
  }
}

/** Cancelling is measured some times; all have to be quick. */
export const cancelTrials = {
  "a run that is cancelled by a message closes its sockets within 100 ms": (world, name, n) => cancelTime(world, `${name}-${n}`, (runId) => () => world.runs().give(runId, { type: "cancel" })),
  "a run whose invocation is cancelled in Restate closes its sockets within 100 ms": (world, name, n) =>
    cancelTime(world, `${name}-${n}`, async (runId) => {
      const { id } = await invocationOf(world, runId)
      return () => cancelInvocation(world.admin(), id)
    }),
}
