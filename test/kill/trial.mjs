import { spawn } from "node:child_process"
import { isDeepStrictEqual } from "node:util"
import { fileURLToPath } from "node:url"
import { journals } from "./journals.mjs"

const program = fileURLToPath(new URL("./child.mjs", import.meta.url))

/** Runs the child to its end or its death. `killAfterMs` counts from when its run has started. */
export function live(kind, place, runId, base, { moment = "never", position = -1, killAfterMs = null } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, kind, place, runId, base, moment, String(position)], { stdio: ["ignore", "pipe", "pipe", "ipc"] })
    const startedAt = performance.now()
    let [out, errors, began] = ["", "", null]
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (errors += chunk))
    child.on("message", () => {
      began ??= performance.now()
      if (killAfterMs !== null) setTimeout(() => child.kill("SIGKILL"), killAfterMs)
    })
    child.on("close", (code, signal) => resolve({ code, signal, errors, result: out === "" ? null : JSON.parse(out), ms: performance.now() - (began ?? startedAt) }))
  })
}

/** Kills a run once, takes it up in a new process, and says what is not as it should be. */
export async function kill({ kind, place, runId, service, expected, how }) {
  const first = await live(kind, place, runId, service.base, how)
  const journal = journals[kind](place)
  const stored = await journal.load(runId)
  journal.close?.()
  const records = JSON.stringify(stored?.records ?? [])
  const second = await live(kind, place, runId, service.base)
  const counts = service.of(runId)
  const failures = []
  if (how.moment !== undefined && first.signal !== "SIGKILL") failures.push(`was not killed: ${first.code} ${first.errors}`)
  if (how.moment === "after" && (stored === null || stored.records.length < how.position)) failures.push(`record ${how.position} was acknowledged and is not stored`)
  if (second.code !== 0) failures.push(`was not taken up: ${second.code} ${second.errors}`)
  else if (!isDeepStrictEqual(second.result, expectedFor(expected, runId))) failures.push(`ended otherwise: ${JSON.stringify(second.result)}`)
  if (counts.withoutKey > 0 || service.withoutRun() > 0) failures.push("made a call without a key")
  for (const [key, times] of counts.carriedOut) {
    const limit = records.includes(`<${key}>`) ? 1 : 2
    if (times > limit) failures.push(`${key} was carried out ${times} times, though its result was ${limit === 1 ? "" : "not "}in the journal`)
  }
  return { failures, wasKilled: first.signal === "SIGKILL", records: stored?.records.length ?? null }
}

/** Keys begin with the id of the run, and are in what it says. */
const expectedFor = ({ runId, result }, other) => JSON.parse(JSON.stringify(result).replaceAll(`<${runId}/`, `<${other}/`))
