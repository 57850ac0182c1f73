import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { setTimeout as sleep } from "node:timers/promises"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import { judge } from "../conformance/compare.mjs"
import { factsOf } from "../conformance/facts.mjs"

const program = fileURLToPath(new URL("./life.mjs", import.meta.url))
/** What of a vector this harness plays; another one fails. */
const inputs = ["restart", "during", "answer", "approve", "args", "user", "deliver", "result"]

/** Plays a vector whose restarts kill its process (`SIGKILL`) and begin another one, with a journal of this kind. Returns failures. */
export async function tryWithProcesses(vector, kind, place) {
  const unknown = vector.inputs
    .flatMap((input) => Object.keys(input))
    .filter((field) => !inputs.includes(field))
  if (unknown.length > 0) return [`the harness does not know ${unknown}`]
  const service = await startScriptedService({ llm: vector.llm ?? {}, tools: vector.tools ?? {} })
  const seen = { events: new Map(), asked: new Map(), hostLog: [] }
  const startedAt = performance.now()
  let life = null
  try {
    life = await begin(vector, kind, place, service, seen)
    let rests = null
    const before = []
    for (const [index, input] of vector.inputs.entries()) {
      if (input.during === undefined) before[index] = rests = await life.rest()
      else while (!isInFlight(input.during, service)) await sleep(2)
      if (input.restart) {
        await life.kill()
        life = await begin(vector, kind, place, service, seen)
      } else rests = await life.rest(input)
    }
    rests = await life.rest()
    return judge(
      vector,
      record({ rests, before, service, seen, elapsedMs: performance.now() - startedAt }),
    )
  } finally {
    await life?.kill()
    await service.close()
  }
}

const isInFlight = ({ agent, tool = agent, nth }, { requests }) =>
  requests.some(
    (one) => one.kind === (agent ? "llm" : "tool") && one.id === tool && one.nth === nth,
  )

/** A process that has the run; messages come in their order, so what it told before it rested is there. */
async function begin(vector, kind, place, service, seen) {
  const child = fork(program, [kind, place, String(service.port), JSON.stringify(vector)])
  const closed = new Promise((resolve) => child.on("close", resolve))
  const waiting = []
  const begun = new Promise((resolve, reject) => {
    void closed.then((code) => reject(new Error(`the process ended: ${code}`)))
    child.on("message", (told) => {
      if (told.begun) resolve()
      if (told.event) seen.events.set(told.event.seq, told.event)
      if (told.asked) seen.asked.set(told.asked, told)
      if ("logged" in told) seen.hostLog.push(told.logged)
      if (told.rests) waiting.shift()?.(told.rests)
    })
  })
  await begun
  return {
    rest: (input) => new Promise((resolve) => (waiting.push(resolve), child.send({ input }))),
    kill: () => (child.kill("SIGKILL"), closed),
  }
}

function record({ rests, before, service, seen, elapsedMs }) {
  const requests = service.requests.map((request) => {
    const key = request.headers["idempotency-key"]
    const asked = seen.asked.get(key)
    const name = `${request.kind === "tool" ? "tool:" : ""}${request.id}#${request.nth}`
    return {
      ...request,
      key,
      name,
      model: asked?.model,
      args: request.body?.arguments ?? asked?.arguments,
    }
  })
  return {
    ...rests,
    error: rests.error?.message,
    elapsedMs,
    problems: [],
    before,
    requests,
    facts: factsOf([...seen.events.values()]),
    unused: service.unused(),
    beyond: service.exhausted,
    mostAtOnce: service.maxInFlight.llm,
    hostLog: seen.hostLog,
    warnings: [],
    disclosed: {},
    sessions: {},
  }
}
