// Migrates a journal with many waiting runs of many edited workflows, and kills the migrating process again and again. Checks every
// classification with a replay, that no recorded answer is lost, and that no finished call is repeated when the runs continue.
//   --runs N        number of waiting runs        --workflows N   number of edited workflows      --kills N    number of kills
//   --journal K     jsonl or sqlite               --seed N        seed of the workflows, the answers and the times of the kills
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { compileOrThrow } from "agent-statecharts"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { createRunner, replay, runAt } from "agent-statecharts/runtime"
import { editedWorkflow, workflowWithPeople } from "./edited-workflows.mjs"
import { randomFrom } from "./random.mjs"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    workflows: { type: "string", default: "50" },
    kills: { type: "string", default: "20" },
    journal: { type: "string", default: "sqlite" },
    seed: { type: "string" },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const random = randomFrom(seed)
const workflows = Number(values.workflows)
const runsEach = Math.ceil(Number(values.runs) / workflows)
const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "migration-"))
const place = join(folder, values.journal === "sqlite" ? "runs.sqlite" : "runs")
const open = () => (values.journal === "sqlite" ? sqliteJournal(place) : jsonlJournal(place))
const problems = []
const startedAt = performance.now()
const log = (text) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${text}`)

/** Models that note the key of every call. */
const notedModels = (keys) => ({
  any: {
    call: async ({ agent, idempotencyKey }) => {
      keys.push(idempotencyKey)
      return { content: `text of ${agent}` }
    },
  },
})

async function answerFirst(run) {
  const [{ id }] = run.pending()
  run.answer(id, `answer to ${id}`)
  await run.whenSettled()
}

const answersIn = ({ records }) =>
  records.flatMap(([n, , event]) => (n === -1 ? [`${event.id} ${event.value}`] : []))

const edits = Array.from({ length: workflows }, (_, index) => {
  const before = workflowWithPeople(`w${index}`, random)
  const [file, chart] = [join(folder, `w${index}.json`), compileOrThrow(before)]
  let newChart = chart
  // An edit may set the value that the workflow already has. Then another edit is made.
  for (let number = index; newChart.fingerprint === chart.fingerprint; number++) {
    const after = editedWorkflow(before, number, random)
    newChart = compileOrThrow(after)
    writeFileSync(file, JSON.stringify(after))
  }
  return { file, chart, newChart, runIds: [] }
})

const numberOf = (runId) => Number(runId.split("-")[1])
const byNumber = (one, other) => numberOf(one) - numberOf(other)

const finished = new Set()
{
  const keys = []
  const journal = open()
  const runner = createRunner({ models: notedModels(keys), journal })
  for (const [index, { chart, runIds }] of edits.entries())
    for (let number = 0; runIds.length < runsEach;) {
      const group = Array.from(
        { length: Math.min(100, runsEach - runIds.length) },
        () => `w${index}-${number++}`,
      )
      await Promise.all(
        group.map(async (runId) => {
          const run = runner.start(chart, { runId, prompt: runId })
          await run.whenSettled()
          for (let many = Math.floor(random() * 5); many > 0 && run.status === "waiting"; many--)
            await answerFirst(run)
          if (run.status === "waiting") runIds.push(runId)
        }),
      )
    }
  await runner.close()
  for (const key of keys) finished.add(key)
  journal.close?.()
}
const count = edits.reduce((sum, { runIds }) => sum + runIds.length, 0)
log(
  `seed ${seed}: ${count} waiting runs of ${workflows} workflows, ${finished.size} finished model calls`,
)

/**
 * Runs `migrate`. With `kill`, kills it some milliseconds after the first run has the new chart.
 * Returns null if it was killed.
 */
function migrate(file, args, kill) {
  const report = join(folder, "report.json")
  const child = spawn(
    process.execPath,
    [command, "migrate", "--journal", place, "--to", file, "--json", report, ...args],
    { stdio: "ignore" },
  )
  const stop = kill === undefined ? () => {} : afterFirst(kill, () => child.kill("SIGKILL"))
  return new Promise((resolve) =>
    child.on("close", (code, signal) => {
      stop()
      if (signal === "SIGKILL") return resolve(null)
      if (code !== 0 && code !== 1) problems.push(`migrate ended with the code ${code}`)
      resolve(JSON.parse(readFileSync(report, "utf8")))
    }),
  )
}

/**
 * Calls `act` some milliseconds after one more run has the new chart. Returns a function that stops
 * this.
 */
function afterFirst({ ms, newChart, runIds }, act) {
  const journal = open()
  const isOld = (runId) => journal.load(runId).header.chart.fingerprint !== newChart.fingerprint
  const next = runIds.find(isOld)
  let timer = null
  const poll = setInterval(() => {
    if (next === undefined || isOld(next)) return
    clearInterval(poll)
    timer = setTimeout(act, ms)
  }, 5)
  return () => {
    clearInterval(poll)
    clearTimeout(timer)
    journal.close?.()
  }
}

/** Classifies a run by other means than the migration: with `replay` and `runAt`. */
function classified(stored, newChart) {
  const replayed = replay(stored, newChart)
  const { status } = replayed.after
  const positionOf = (run) => {
    const { pending, inFlight, result } = runAt(run)
    return [
      result.status,
      pending.map(({ id, kind }) => `${kind} ${id}`).sort(),
      inFlight.map(({ key }) => key).sort(),
    ]
  }
  const uses = replayed.unused.length + replayed.unheard.length === 0
  const same =
    uses &&
    isDeepStrictEqual(replayed.run.records, [...stored.records]) &&
    isDeepStrictEqual(positionOf(stored), positionOf(replayed.run))
  if (same) return "same-records"
  if (status === "failed" || status === "limit") return "would-fail"
  return uses ? "same-answers" : "loses-records"
}

const before = new Map()
const reasons = {}
const wanted = new Map()
let classifyingMs = 0
for (const { file, newChart, runIds } of edits) {
  const began = performance.now()
  const report = await migrate(file, ["--dry-run"])
  classifyingMs += performance.now() - began
  const journal = open()
  for (const runId of runIds) before.set(runId, journal.load(runId))
  journal.close?.()
  const byId = new Map(report.runs.map((run) => [run.runId, run]))
  for (const runId of runIds) {
    const { reason } = byId.get(runId) ?? {}
    const expected = classified(before.get(runId), newChart)
    if (reason !== expected)
      problems.push(`${runId} was classified as ${reason}, but a replay finds ${expected}`)
    reasons[reason] = (reasons[reason] ?? 0) + 1
    wanted.set(runId, reason === "same-records" || reason === "same-answers")
  }
}
log(
  `every run classified and checked by a replay: ${JSON.stringify(reasons)}; ${(classifyingMs / workflows).toFixed(0)} ms per migrate --dry-run`,
)

let kills = 0
let inTheMiddle = 0
let killedNow = 0
for (const [index, { file, newChart, runIds }] of edits.entries()) {
  const left = Number(values.kills) - kills
  killedNow = Math.ceil(left / (workflows - index))
  for (let done = false; !done;) {
    const moving = runIds.filter((runId) => wanted.get(runId)).sort(byNumber)
    const kill = { ms: random() * 200, newChart, runIds: moving }
    const report = await migrate(file, [], killedNow > 0 ? kill : undefined)
    if (report !== null) {
      done =
        killedNow <= 0 ||
        report.runs.every(({ verdict, result }) => verdict === "current" || result === "unchanged")
      if (!report.isComplete) problems.push(`${file}: the migration is not complete`)
      continue
    }
    kills++
    killedNow--
    const journal = open()
    const moved = runIds.filter(
      (runId) => journal.load(runId).header.chart.fingerprint === newChart.fingerprint,
    ).length
    journal.close?.()
    if (moved > 0 && moved < runIds.filter((runId) => wanted.get(runId)).length) inTheMiddle++
  }
}
log(
  `migrated, killed ${kills} times, ${inTheMiddle} of them between the first and the last run of a workflow`,
)

const keys = []
let lost = 0
{
  const journal = open()
  const runner = createRunner({ models: notedModels(keys), journal })
  for (const { newChart, runIds } of edits)
    for (let from = 0; from < runIds.length; from += 100)
      await Promise.all(
        runIds.slice(from, from + 100).map(async (runId) => {
          const stored = journal.load(runId)
          const old = before.get(runId)
          const isMigrated = stored.header.chart.fingerprint === newChart.fingerprint
          if (isMigrated !== wanted.get(runId)) problems.push(`${runId}: migrated is ${isMigrated}`)
          if (!isMigrated && !isDeepStrictEqual(stored, old)) problems.push(`${runId} was changed`)
          const kept = new Set(answersIn(stored))
          const answers = answersIn(old)
          lost += answers.filter((answer) => !kept.has(answer)).length
          const run = await runner.resume(runId)
          const answered = new Set()
          run.events$.subscribe(
            (event) =>
              event.type === "human.answered" && answered.add(`${event.id} ${event.answer.value}`),
          )
          await run.whenSettled()
          lost += answers.filter((answer) => !answered.has(answer)).length
          for (let rounds = 0; run.status === "waiting" && rounds < 30; rounds++)
            await answerFirst(run)
          const { status, error } = await run.whenSettled()
          if (status !== "completed" && status !== "limit")
            problems.push(`${runId} ended as ${status}: ${error?.message}`)
        }),
      )
  await runner.close()
  const damaged = journal.verify().filter(({ problem }) => problem !== null).length
  if (damaged > 0) problems.push(`${damaged} runs are damaged`)
  journal.close?.()
}
const repeated = keys.filter((key) => finished.has(key)).length
log(
  `all runs continued to their end: ${keys.length} model calls, ${repeated} repeated calls, ${lost} lost answers`,
)
if (repeated > 0 || lost > 0) problems.push("calls were repeated, or answers were lost")
if (kills < Number(values.kills)) problems.push(`only ${kills} kills`)
for (const problem of problems.slice(0, 20)) console.error(problem)
if (existsSync(folder)) rmSync(folder, { recursive: true })
log(problems.length === 0 ? "no problem" : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
