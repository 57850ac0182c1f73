import { isDeepStrictEqual } from "node:util"
import { setTimeout as sleep } from "node:timers/promises"
import { expires } from "../kill/workflow.mjs"
import { patiently } from "./patiently.mjs"

/** Starts a run, answers its requests, and waits for its end. `waiting` is called with each request before it is answered. */
export async function playRun(world, runId, chart, waiting = async () => {}) {
  await world.ask((runs) => runs.start(runId, { chart }))
  const replied = new Set()
  for (;;) {
    const { isOver, pending } = await world.ask((runs) => runs.status(runId))
    if (isOver) break
    for (const request of pending.filter(({ id }) => !expires(id) && !replied.has(id))) {
      replied.add(request.id)
      await waiting(request, replied.size)
      const message =
        request.kind === "approval"
          ? { type: "approve", id: request.id }
          : { type: "answer", id: request.id, value: "Oslo" }
      // The connection can be lost before the response arrives. With the key, a repeated message counts once.
      await world.ask((runs) =>
        runs.give(runId, message, { idempotencyKey: `${runId}/${request.id}` }),
      )
    }
    await sleep(15)
  }
  const { status, text, state, error } = await world.ask((runs) => runs.result(runId))
  return { status, text, state, error, checkpoints: await checkpoints(world, runId) }
}

/** Returns the part of the result of a graph that does not depend on timing: nodes may finish in any order. */
export async function playGraph(world, runId, chart, waiting) {
  const { state, ...result } = await playRun(world, runId, chart, waiting)
  return { ...result, state: { ...state, executed: [...state.executed].sort() } }
}

/** Returns the checkpoints of a run. They are reported when the run ends, which can be shortly after its result is stored. */
async function checkpoints(world, runId) {
  for (const until = Date.now() + 5_000; Date.now() < until; await sleep(20))
    if (world.board.of(runId) !== undefined) return world.board.of(runId)
  return null
}

/** Returns the keys of the calls whose results Restate had stored at a time. Default: now. */
async function storedKeys(world, runId, at = Date.now()) {
  const rows = await patiently(() =>
    world.query(
      `SELECT j.entry_json, CAST(j.appended_at AS STRING) AS appended_at FROM sys_journal j JOIN sys_invocation i ON i.id = j.id WHERE i.target_service_key = '${runId}' AND i.target_handler_name = 'run'`,
    ),
  )
  const results = rows
    .filter(
      ({ appended_at }) =>
        Date.parse(appended_at.endsWith("Z") ? appended_at : `${appended_at}Z`) <= at,
    )
    .flatMap(
      ({ entry_json }) =>
        JSON.parse(entry_json ?? "{}").Notification?.Completion?.Run?.result?.Success ?? [],
    )
  return new Set(
    [
      ...Buffer.from(results)
        .toString()
        .matchAll(/<([^<>]+)>/g),
    ].map(([, key]) => key),
  )
}

/** Entries that were appended at least this number of milliseconds before a kill were certainly stored. */
const moment = 20

/** Each function kills its victim, and returns a function that returns the keys of the results stored at that time. */
const victims = {
  /** While the service is dead, nothing can be stored, so the stored keys are exact. */
  async service(world, runId) {
    await world.service.kill()
    const stored = await storedKeys(world, runId)
    await world.service.start()
    return () => stored
  },
  async server(world, runId) {
    const at = Date.now() - moment
    await world.killNode(world.nodes[0])
    await world.startNode(world.nodes[0])
    return () => storedKeys(world, runId, at)
  },
  async both(world, runId) {
    await Promise.all([world.service.kill(), world.killNode(world.nodes[0])])
    await world.startNode(world.nodes[0])
    const stored = await storedKeys(world, runId)
    await world.service.start()
    return () => stored
  },
}

/**
 * Returns a function that kills one node of a cluster. The other nodes take over, which can take
 * some time. The node is started again after the run.
 */
export const nodeVictim = (node) => async (world, runId) => {
  const at = Date.now() - moment
  await world.killNode(node)
  return () => storedKeys(world, runId, at)
}

/**
 * Kills a victim once: after `at.asked` calls of the run, `at.ms` milliseconds after its start, or while its request number
 * `at.waiting` is pending. Returns the differences from an undisturbed run.
 */
export async function killTrial({ world, chart, runId, expected, victim, at, play = playRun }) {
  const kill = typeof victim === "function" ? victim : victims[victim]
  let killed = null
  const strike = () => (killed ??= kill(world, runId))
  let asks = 0
  if (at.asked !== undefined) world.watch(runId, () => ++asks === at.asked && void strike())
  const timer = at.ms === undefined ? undefined : setTimeout(strike, at.ms)
  const result = await play(world, runId, chart, async (_, nth) => {
    if (nth === at.waiting) await strike()
  })
  clearTimeout(timer)
  const failures = []
  if (killed === null) return { failures, wasKilled: false }
  const stored = await (await killed)()
  if (!isDeepStrictEqual(result, ofRun(expected, runId)))
    failures.push(`ended otherwise: ${JSON.stringify(result)}`)
  const counts = world.calls.of(runId)
  if (counts.withoutKey > 0 || world.calls.withoutRun() > 0)
    failures.push("made a call without a key")
  for (const [key, times] of counts.carriedOut) {
    // Calls after a request to a person are made after the kill, unless a cluster is still electing a leader. Nodes of a graph can be
    // in flight while a request is pending.
    const isQuiet = at.waiting !== undefined && typeof victim === "string" && play === playRun
    const limit = stored.has(key) || isQuiet ? 1 : 2
    if (times > limit)
      failures.push(
        `${key} was carried out ${times} times, though its result was ${limit === 1 ? "" : "not "}stored`,
      )
  }
  return {
    failures,
    wasKilled: true,
    stored: stored.size,
    twice: [...counts.carriedOut.values()].filter((times) => times === 2).length,
  }
}

/**
 * Returns the expected result for another run id. Idempotency keys, and the ids of the workflows in
 * a graph, contain the run id.
 */
const ofRun = ({ runId, result }, other) =>
  JSON.parse(
    JSON.stringify(result).replaceAll(new RegExp(`(?<=["<-])${runId}(?=[/-])`, "g"), other),
  )
