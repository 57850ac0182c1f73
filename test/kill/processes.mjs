import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { isDeepStrictEqual } from "node:util"
import { isOptional } from "./workflow.mjs"

/** Processes that take longer than this hang. */
const timeoutMs = 300_000

/** Result of a run whose process did not report it. */
const unknown = { resumed: null, refused: null, ended: null, ms: 0, stoppedAt: null }

/**
 * Starts a process that resumes runs and starts other runs, and kills it: when all its own runs have stopped at their journal
 * positions, or `killAfterMs` after it began to start them. Returns the exit of the process and its report for each run.
 */
export function runProcess({ program, kind, place, chart, resumeRuns, startRuns, killAfterMs }) {
  const child = spawn(
    process.execPath,
    [program, JSON.stringify({ kind, place, chart, resumeRuns, startRuns })],
    { stdio: ["ignore", "pipe", "pipe"] },
  )
  const kill = () => child.kill("SIGKILL")
  const timeout = setTimeout(kill, timeoutMs)
  const runs = new Map()
  const running = new Set(startRuns.map(({ runId }) => runId))
  const isAtPosition = startRuns.some(({ position }) => position !== undefined)
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += chunk))
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { runId, starting, ...reported } = JSON.parse(line)
    if (starting && killAfterMs !== undefined) setTimeout(kill, killAfterMs)
    if (runId === undefined) return
    runs.set(runId, { ...unknown, ...reported })
    running.delete(runId)
    if (isAtPosition && running.size === 0) kill()
  })
  return new Promise((resolve) =>
    child.on("close", (code, signal) => {
      clearTimeout(timeout)
      resolve({
        errors,
        code,
        isKilled: signal === "SIGKILL",
        run: (runId) => runs.get(runId) ?? unknown,
      })
    }),
  )
}

/** Returns the problems of the journal of a run whose process was killed when the run had stopped at a journal position. */
export function journalProblems({ moment, position, runId }, process, stored) {
  if (moment === undefined) return []
  const { isKilled, code, errors } = process
  if (!isKilled || process.run(runId).stoppedAt !== position)
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
  const { resumed, refused } = process.run(runId)
  const forThisRun = (value) => JSON.parse(JSON.stringify(value).replaceAll(expected.runId, runId))
  if (resumed === null)
    problems.push(`the run was not resumed: ${refused ?? `${process.code} ${process.errors}`}`)
  else if (!isDeepStrictEqual(resumed, forThisRun(expected.result)))
    problems.push(`the result is different: ${JSON.stringify(resumed)}`)
  if (counts.withoutKey > 0) problems.push("a call had no idempotency key")
  const keysOf = (keys) => [...keys].filter((key) => !isOptional(key)).sort()
  const keys = keysOf(counts.carriedOut.keys())
  if (resumed !== null && !isDeepStrictEqual(keys, keysOf(forThisRun(expected.keys))))
    problems.push(`the calls are different: ${keys.join(" ")}`)
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
