import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { isDeepStrictEqual } from "node:util"

/** Processes that take longer than this hang. */
const timeoutMs = 300_000

/**
 * Starts a process that resumes one run and starts another one, and kills it: when it blocks at a journal position, or
 * `killAfterMs` after its own run started. Returns what the process reported and how it ended.
 */
export function runProcess({
  program,
  kind,
  place,
  chart,
  resumeRun = null,
  start = null,
  how = {},
}) {
  const { moment = "never", position = -1, killAfterMs = null } = how
  const child = spawn(
    process.execPath,
    [program, JSON.stringify({ kind, place, chart, resumeRun, start, moment, position })],
    { stdio: ["ignore", "pipe", "pipe"] },
  )
  const kill = () => child.kill("SIGKILL")
  const timeout = setTimeout(kill, timeoutMs)
  const reported = { resumed: null, refused: null, ended: null, ms: 0, blockedAt: null }
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += chunk))
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line)
    Object.assign(reported, message)
    if (message.blockedAt !== undefined) kill()
    if (message.started !== undefined && killAfterMs !== null) setTimeout(kill, killAfterMs)
  })
  return new Promise((resolve) =>
    child.on("close", (code, signal) => {
      clearTimeout(timeout)
      resolve({
        ...reported,
        errors,
        code,
        isKilled: signal === "SIGKILL" && reported.ended === null,
      })
    }),
  )
}

/** Returns the problems of the journal of a run whose process was killed at a journal position. */
export function journalProblems(
  { moment, position },
  { isKilled, blockedAt, code, errors },
  stored,
) {
  if (moment === undefined) return []
  if (!isKilled || blockedAt !== position)
    return [`the process was not killed at position ${position}: ${code} ${errors}`]
  const found = stored === null ? -1 : stored.records.length
  if (moment === "after" && found < position)
    return [`position ${position} was acknowledged but is not stored`]
  if (moment === "before" && found >= position)
    return [`position ${position} was stored before the journal received it`]
  return []
}

/** Returns the differences between a killed and resumed run and an uninterrupted one: its result and its calls. */
export function resultProblems({ runId, process, stored, counts, expected }) {
  const problems = []
  const forThisRun = (value) =>
    JSON.parse(JSON.stringify(value).replaceAll(`${expected.runId}/`, `${runId}/`))
  if (process.resumed === null)
    problems.push(
      `the run was not resumed: ${process.refused ?? `${process.code} ${process.errors}`}`,
    )
  else if (!isDeepStrictEqual(process.resumed, forThisRun(expected.result)))
    problems.push(`the result is different: ${JSON.stringify(process.resumed)}`)
  if (counts.withoutKey > 0) problems.push("a call had no idempotency key")
  const keys = forThisRun(expected.keys)
  if (process.resumed !== null && !isDeepStrictEqual([...counts.carriedOut.keys()].sort(), keys))
    problems.push(`the calls are different: ${[...counts.carriedOut.keys()].sort().join(" ")}`)
  const records = JSON.stringify(stored?.records ?? [])
  for (const [key, times] of counts.carriedOut) {
    // Each response contains the key of its call.
    const isStored = records.includes(`<${key}>`)
    if (times > (isStored ? 1 : 2))
      problems.push(
        `${key} was executed ${times} times, and its result was ${isStored ? "" : "not "}in the journal`,
      )
  }
  return problems
}
