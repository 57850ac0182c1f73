// One process of the kill test. It resumes the run in which the previous process was killed, then starts its own run and is killed
// in it. If a journal position is given, the process blocks there and reports it, so that the parent can kill it: `before` a record
// is stored, or `after` it is stored and before the runtime is notified.
import { readFileSync, writeSync } from "node:fs"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { createRunner } from "agent-statecharts/runtime"
import { journals } from "./journals.mjs"
import { expires, reply } from "./workflow.mjs"

const { kind, place, chart, resumeRun, start, moment, position } = JSON.parse(process.argv[2])
const journal = journals[kind](place)
const report = (message) => void writeSync(1, `${JSON.stringify(message)}\n`)
let stored = null

/** Position 0 is the header, n the n-th record. Blocks the process until the parent kills it. */
function block() {
  report({ blockedAt: position })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

async function storeOrBlock(store) {
  const isHere = stored !== null && stored++ === position
  if (isHere && moment === "before") block()
  await store()
  if (isHere && moment === "after") block()
}

const blockingJournal = {
  ...journal,
  create: (header) => storeOrBlock(() => journal.create(header)),
  append: (id, record) => storeOrBlock(() => journal.append(id, record)),
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

async function main() {
  const runner = createRunner({ http: createHttpServices(), journal: blockingJournal })
  const startRun = (runId) => runner.start(JSON.parse(readFileSync(chart, "utf8")), { runId })
  if (resumeRun !== null) {
    try {
      const isStored = (await journal.load(resumeRun)) !== null
      const run = isStored ? await runner.resume(resumeRun) : startRun(resumeRun)
      report({ resumed: await finish(run) })
    } catch (error) {
      report({ refused: `${error.code}: ${error.stack}` })
    }
  }
  if (start !== null) {
    stored = 0
    const run = startRun(start)
    let startedAt = null
    run.events$.subscribe(() => {
      if (startedAt !== null) return
      startedAt = performance.now()
      report({ started: start })
    })
    report({ ended: await finish(run), ms: performance.now() - startedAt })
  }
  await runner.close()
  process.exit(0)
}

void main()
