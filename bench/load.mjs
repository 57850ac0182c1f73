// Executes many thousand runs at once in one process, with retries and slow human answers, over
// hours of a simulated clock.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { compile } from "agent-statecharts"
import { CallFailedError } from "agent-statecharts/machines"
import { createRunner } from "agent-statecharts/runtime"

const minute = 60_000
/** Step of the clock, in milliseconds. */
const step = 250

const { chart } = compile({
  rootAgentId: "order",
  agents: [
    {
      type: "SequentialAgent",
      id: "order",
      subAgents: [{ agentId: "draft" }, { agentId: "boss" }, { agentId: "send" }],
    },
    {
      type: "LlmAgent",
      id: "draft",
      model: "any",
      outputKey: "draft",
      activityConfig: { retryPolicy: { maximumAttempts: 8, initialInterval: "5s" } },
    },
    { type: "HumanAgent", id: "boss", prompt: "May it go out?", outputKey: "answer" },
    {
      type: "LlmAgent",
      id: "send",
      model: "any",
      outputKey: "sent",
      activityConfig: { retryPolicy: { maximumAttempts: 8, initialInterval: "5s" } },
    },
  ],
})

/**
 * Keeps `concurrent` runs open until `total` runs have started, then lets them end. Every fifth
 * call fails and is retried. A person takes up to 40 minutes to answer.
 *
 * @returns the number of failures, the growth of the heap, and the delay of events.
 */
export async function load({ concurrent, total, seed = 1 }) {
  const random = randomFrom(seed)
  const clock = simulatedClock()
  const counts = { calls: 0, events: 0, outOfOrder: 0, unfinished: 0, failed: 0, attempts: 0 }
  const late = []
  const heaps = []
  /** The real time in milliseconds of everything that an event must report. */
  const happened = new Map()
  const call = ({ idempotencyKey, attempt, agent, runId }) =>
    new Promise((resolve, reject) => {
      counts.calls++
      const fails = random() < 0.2 && attempt < 8
      clock.wakeAt(clock.now() + 500 + random() * 20_000, () => {
        happened.set(fails ? `${idempotencyKey} ${attempt}` : idempotencyKey, performance.now())
        if (fails)
          reject(
            new CallFailedError({
              code: "service_status",
              message: "busy",
              retryable: true,
              status: 503,
            }),
          )
        else
          resolve({ content: `${agent} of ${runId}`, usage: { inputTokens: 20, outputTokens: 10 } })
      })
    })
  const runner = createRunner({ models: { any: { call } }, clock })
  let started = 0
  let ended = 0
  const begin = () => {
    if (started >= total) return
    const runId = `run ${started++}`
    const run = runner.start(chart, { runId, prompt: `Order ${runId}` })
    let seen = 0
    let isOver = false
    const heard = (key) => {
      const since = happened.get(key)
      if (since === undefined) return
      happened.delete(key)
      late.push(performance.now() - since)
    }
    run.events$.subscribe({
      next(event) {
        counts.events++
        if (event.seq !== seen++) counts.outOfOrder++
        if (event.type === "model.called") counts.attempts++
        if (event.type === "model.responded") heard(event.call)
        if (event.type === "retry.scheduled") heard(`${event.of} ${event.attempt - 1}`)
        if (event.type === "human.answered") heard(`${runId} answer`)
        if (event.type === "human.asked") {
          clock.wakeAt(clock.now() + random() * 40 * minute, () => {
            happened.set(`${runId} answer`, performance.now())
            run.answer(event.request.id, "Yes.")
          })
        }
        if (event.type === "run.finished") {
          isOver = true
          if (event.result.status !== "completed" || event.result.state.sent !== `send of ${runId}`)
            counts.failed++
        }
      },
      complete() {
        if (!isOver) counts.unfinished++
        ended++
        clock.wakeAt(clock.now() + 1, begin)
      },
    })
  }
  for (let nth = 0; nth < concurrent; nth++)
    clock.wakeAt(clock.now() + random() * 5 * minute, begin)
  const from = clock.now()
  let measured = 0
  while (ended < total) {
    await clock.advance(step)
    // The heap grows until as many runs have ended as are open at once, and shrinks at the end.
    if (ended >= concurrent && total - ended >= concurrent && ended - measured >= 1_000) {
      measured = ended
      heaps.push({ ended, bytes: heapUsed() })
    }
  }
  late.sort((one, other) => one - other)
  return {
    ...counts,
    started,
    ended,
    missed: happened.size,
    simulatedHours: (clock.now() - from) / 3_600_000,
    heapSlope: slope(heaps),
    p50: late[late.length >> 1],
    p99: late[Math.floor(late.length * 0.99)],
  }
}

/** Returns the relative growth of the heap for each 1,000 finished runs, by linear regression. */
function slope(heaps) {
  if (heaps.length < 3) return null
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(heaps.map(({ ended }) => ended))
  const y = mean(heaps.map(({ bytes }) => bytes))
  const rise =
    mean(heaps.map(({ ended, bytes }) => (ended - x) * (bytes - y))) /
    mean(heaps.map(({ ended }) => (ended - x) ** 2))
  return (rise * 1_000) / y
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")
function heapUsed() {
  collect()
  return process.memoryUsage().heapUsed
}

/** A clock that a test advances. Stores timers by the step in which they are due. */
function simulatedClock() {
  let now = 1_700_000_000_000
  const due = new Map()
  const stepOf = (at) => Math.max(Math.ceil(at / step), Math.floor(now / step) + 1)
  const soon = () => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    wakeAt(at, wake) {
      const timer = { wake }
      const key = stepOf(at)
      const timers = due.get(key)
      if (timers === undefined) due.set(key, new Set([timer]))
      else timers.add(timer)
      return () => void due.get(key)?.delete(timer)
    },
    async advance(by) {
      now += by
      const key = Math.floor(now / step)
      const timers = due.get(key)
      due.delete(key)
      for (const { wake } of timers ?? []) wake()
      await soon()
    },
  }
}

function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function loadReport(sizes) {
  console.log(`\n### ${sizes.concurrent.toLocaleString("en")} runs at once\n`)
  const counts = await load(sizes)
  console.log(
    `${counts.ended} runs in ${counts.simulatedHours.toFixed(1)} simulated hours, ${counts.events} events, ${counts.calls} calls (${counts.calls - counts.attempts} without an event)`,
  )
  console.log(
    `lost or out of order ${counts.outOfOrder + counts.missed + counts.unfinished}, not as they should end ${counts.failed}; heap ${counts.heapSlope === null ? "not measured" : `${(counts.heapSlope * 100).toFixed(2)} % for 1,000 runs`}; events late by p50 ${counts.p50.toFixed(2)} ms, p99 ${counts.p99.toFixed(2)} ms`,
  )
}
