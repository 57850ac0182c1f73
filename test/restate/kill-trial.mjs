import { isDeepStrictEqual } from "node:util"
import { setTimeout as sleep } from "node:timers/promises"
import { expires } from "../kill/workflow.mjs"
import { patiently } from "./patiently.mjs"

/** Starts a run, replies to what it asks, and waits for its end. `waiting` is told of each request before it is replied to. */
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
      // The connection may be lost before the answer is here: sent again it is the same message.
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

/** They are told as the run ends, which may be a moment after its result was stored. */
async function checkpoints(world, runId) {
  for (const until = Date.now() + 5_000; Date.now() < until; await sleep(20))
    if (world.board.of(runId) !== undefined) return world.board.of(runId)
  return null
}

/** The keys of the calls whose results Restate had at a time; now unless given. */
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

/** What had been appended a moment before a time is what had been stored by then, whatever the servers were about to do. */
const moment = 20

/** Each kills, and returns how to find out what had been stored by then. */
const victims = {
  /** With the service dead nothing more can be stored: what is known then is exact. */
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

/** One node of several: the others take over, which may take a while. It comes back when the run has ended. */
export const nodeVictim = (node) => async (world, runId) => {
  const at = Date.now() - moment
  await world.killNode(node)
  return () => storedKeys(world, runId, at)
}

/** Kills once, when the run has asked services so many times, or so many milliseconds after its start, or while its so-manieth request waits; says what is not as it should be. */
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
    // What follows a request for a person comes after the kill, unless a cluster is still on its way to another leader. Nodes of a
    // graph may be in flight while a person is asked.
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

/** What a run of another name comes to: keys, and ids of the workflows in a graph, contain the id of the run. */
const ofRun = ({ runId, result }, other) =>
  JSON.parse(
    JSON.stringify(result).replaceAll(new RegExp(`(?<=["<-])${runId}(?=[/-])`, "g"), other),
  )
