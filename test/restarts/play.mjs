import { fork } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import { judge } from "../conformance/compare.mjs"
import { factsOf } from "../conformance/facts.mjs"
import { scenarioOf } from "../conformance/graph.mjs"

/** The input fields that this harness supports. A vector with other fields fails. */
const inputs = ["restart", "during", "on", "answer", "approve", "args", "user", "deliver", "result"]

/**
 * Plays a vector with real processes: each restart kills the process (`SIGKILL`) and starts `program` again with the same journal.
 * Returns the failures.
 */
export async function tryWithProcesses(vector, program, kind, place) {
  const unknown = vector.inputs
    .flatMap((input) => Object.keys(input))
    .filter((field) => !inputs.includes(field))
  if (unknown.length > 0) return [`the harness does not support the fields ${unknown}`]
  const service = await startScriptedService(scenarioOf(vector))
  const seen = { events: new Map(), asked: new Map(), hostLog: [] }
  let life = null
  try {
    life = await startProcess(vector, program, kind, place, service, seen)
    let settled = null
    const before = []
    for (const [index, input] of vector.inputs.entries()) {
      if (input.during === undefined) before[index] = settled = await life.settle()
      else while (!isInFlight(input.during, service)) await sleep(2)
      if (input.restart) {
        await life.kill()
        life = await startProcess(vector, program, kind, place, service, seen)
      } else settled = await life.settle(input)
    }
    settled = await life.settle()
    return judge(vector, record({ settled, before, service, seen }))
  } finally {
    await life?.kill()
    await service.close()
  }
}

const isInFlight = ({ node, agent, tool = agent, nth }, { requests }) =>
  requests.some(
    (one) =>
      one.kind === (node ? "http" : agent ? "llm" : "tool") &&
      one.id === (node ?? tool) &&
      one.nth === nth,
  )

/** Messages arrive in order, so all events of a run are received before the run is settled. */
async function startProcess(vector, program, kind, place, service, seen) {
  const child = fork(program, [kind, place, String(service.port), JSON.stringify(vector)])
  const closed = new Promise((resolve) => child.on("close", resolve))
  const waiting = []
  const ready = new Promise((resolve, reject) => {
    void closed.then((code) => reject(new Error(`the process ended: ${code}`)))
    child.on("message", (message) => {
      if (message.isReady) resolve()
      if (message.event) seen.events.set(message.event.seq, message.event)
      if (message.asked) seen.asked.set(message.asked, message)
      if ("logged" in message) seen.hostLog.push(message.logged)
      if (message.settled) waiting.shift()?.(message.settled)
    })
  })
  await ready
  return {
    settle: (input) => new Promise((resolve) => (waiting.push(resolve), child.send({ input }))),
    kill: () => (child.kill("SIGKILL"), closed),
  }
}

function record({ settled, before, service, seen }) {
  const requests = service.requests.map((request) => {
    const key = request.headers["idempotency-key"]
    const asked = seen.asked.get(key)
    const name = `${request.kind === "llm" ? "" : `${request.kind}:`}${request.id}#${request.nth}`
    return {
      ...request,
      key,
      name,
      model: asked?.model,
      args: request.body?.arguments ?? asked?.arguments,
    }
  })
  return {
    ...settled,
    error: settled.error?.message,
    problems: [],
    before,
    requests,
    facts: factsOf([...seen.events.values()]),
    unused: service.unused(),
    beyond: service.exhausted,
    mostAtOnce: service.maxInFlight.llm,
    httpAtOnce: service.maxInFlight.http,
    hostLog: seen.hostLog,
    warnings: [],
    disclosed: {},
    sessions: {},
  }
}
