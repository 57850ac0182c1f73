import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { isDeepStrictEqual } from "node:util"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("./child.mjs", import.meta.url))

/** No run takes as long as this, however busy the machine. */
const hangsAfterMs = 300_000

/**
 * Lets a process take up one run and start another, in which it is killed: where it stands still, or so long after its run began.
 * What it said and how it ended.
 */
export function live({ kind, place, chart, resumeRun = null, start = null, how = {} }) {
  const { moment = "never", position = -1, killAfterMs = null } = how
  const child = spawn(
    process.execPath,
    [program, JSON.stringify({ kind, place, chart, resumeRun, start, moment, position })],
    { stdio: ["ignore", "pipe", "pipe"] },
  )
  const kill = () => child.kill("SIGKILL")
  const hangs = setTimeout(kill, hangsAfterMs)
  const heard = { took: null, refused: null, ended: null, ms: 0, stands: null }
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += chunk))
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line)
    Object.assign(heard, message)
    if (message.stands !== undefined) kill()
    if (message.began !== undefined && killAfterMs !== null) setTimeout(kill, killAfterMs)
  })
  return new Promise((resolve) =>
    child.on("close", (code, signal) => {
      clearTimeout(hangs)
      resolve({ ...heard, errors, code, isKilled: signal === "SIGKILL" && heard.ended === null })
    }),
  )
}

/** What is wrong with the journal of a run whose process was killed at a position of it. */
export function wrongInJournal({ moment, position }, { isKilled, stands, code, errors }, stored) {
  if (moment === undefined) return []
  if (!isKilled || stands !== position)
    return [`was not killed where it stood still: ${code} ${errors}`]
  const found = stored === null ? -1 : stored.records.length
  if (moment === "after" && found < position)
    return [`position ${position} was acknowledged and is not stored`]
  if (moment === "before" && found >= position)
    return [`position ${position} was stored before it was given to the journal`]
  return []
}

/** What is not as it should be about a run that was killed once and taken up: how it ended, and how often each call was carried out. */
export function wrongInEnd({ runId, took, stored, counts, expected }) {
  const failures = []
  const asExpected = (value) =>
    JSON.parse(JSON.stringify(value).replaceAll(`${expected.runId}/`, `${runId}/`))
  if (took.took === null)
    failures.push(`was not taken up: ${took.refused ?? `${took.code} ${took.errors}`}`)
  else if (!isDeepStrictEqual(took.took, asExpected(expected.result)))
    failures.push(`ended otherwise: ${JSON.stringify(took.took)}`)
  if (counts.withoutKey > 0) failures.push("made a call without a key")
  const keys = asExpected(expected.keys)
  if (took.took !== null && !isDeepStrictEqual([...counts.carriedOut.keys()].sort(), keys))
    failures.push(`made other calls: ${[...counts.carriedOut.keys()].sort().join(" ")}`)
  const records = JSON.stringify(stored?.records ?? [])
  for (const [key, times] of counts.carriedOut) {
    // Each answer holds the key that it was given for.
    const isStored = records.includes(`<${key}>`)
    if (times > (isStored ? 1 : 2))
      failures.push(
        `${key} was carried out ${times} times, though its result was ${isStored ? "" : "not "}in the journal`,
      )
  }
  return failures
}
