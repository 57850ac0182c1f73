// One process of the kill test. It resumes the runs in which the previous process was killed, then starts its own runs and is killed
// in them. A run with a journal position stops there and reports it: `before` a record is stored, or `after` it is stored and before
// the runtime is notified. The parent kills the process when all its runs have stopped.
import { readFileSync, writeSync } from "node:fs"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { createRunner } from "agent-statecharts/runtime"
import { journals } from "./journals.mjs"
import { rootOf } from "./workflow-with-call.mjs"
import { expires, reply } from "./workflow.mjs"

const { kind, place, chart, resumeRuns, startRuns } = JSON.parse(process.argv[2])
const journal = journals[kind](place)
const report = (message) => void writeSync(1, `${JSON.stringify(message)}\n`)
/** Number of stored records and the position of each run that this process started. */
const started = new Map()

/** Position 0 is the header, n the n-th record. A stopped run stores nothing more. */
async function storeOrStop(runId, store) {
  const run = started.get(rootOf(runId))
  if (run === undefined) return store()
  const isHere = run.stored++ === run.position
  const stop = () => {
    report({ runId: rootOf(runId), stoppedAt: run.position })
    run.isStopped = true
    // The process must not end before it is killed.
    setInterval(() => {}, 60_000)
  }
  if (isHere && run.moment === "before") stop()
  if (run.isStopped) return new Promise(() => {})
  await store()
  if (!isHere) return
  stop()
  return new Promise(() => {})
}

const stoppingJournal = {
  ...journal,
  create: (header) => storeOrStop(header.runId, () => journal.create(header)),
  append: (id, record) => storeOrStop(id, () => journal.append(id, record)),
}

/** Answers the requests of a run, except those that must expire. Returns the result of the run. */
async function finish(run) {
  const checkpoints = []
  run.events$.subscribe((event) => {
    if (event.type === "checkpoint") checkpoints.push([event.path, event.completedSubAgents])
  })
  while ((await run.whenSettled()).status === "waiting") {
    const request = run.pending().find(({ id }) => !expires(id))
    if (request !== undefined) reply(run, request)
    else
      await new Promise((resolve) =>
        run.events$.subscribe(({ type }) => type === "request.expired" && resolve()),
      )
  }
  const { status, text, state, error } = await run.result
  return { status, text, state, error, checkpoints }
}

const runner = createRunner({ http: createHttpServices(), journal: stoppingJournal })
const startRun = (runId) => runner.start(JSON.parse(readFileSync(chart, "utf8")), { runId })

async function resume(runId) {
  try {
    const isStored = (await journal.load(runId)) !== null
    const run = isStored ? await runner.resume(runId) : startRun(runId)
    report({ runId, resumed: await finish(run) })
  } catch (error) {
    report({ runId, refused: `${error.code}: ${error.stack}` })
  }
}

async function start({ runId, moment, position, delayMs = 0 }) {
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  started.set(runId, { stored: 0, moment, position, isStopped: false })
  const startedAt = performance.now()
  const ended = await finish(startRun(runId))
  report({ runId, ended, ms: performance.now() - startedAt })
}

async function main() {
  await Promise.all(resumeRuns.map(resume))
  if (startRuns.length > 0) report({ starting: true })
  await Promise.all(startRuns.map(start))
  await runner.close()
  process.exit(0)
}

void main()
