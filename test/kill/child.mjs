// One process of the relay: takes up the run that the process before it was killed in, then starts its own and is killed in it. At a
// given position of its journal it stands still, `before` a record is stored, or `after` it was and nobody was told, and says so.
import { readFileSync, writeSync } from "node:fs"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { createRunner } from "agent-statecharts/runtime"
import { journals } from "./journals.mjs"
import { expires, reply } from "./workflow.mjs"

const { kind, place, chart, resumeRun, start, moment, position } = JSON.parse(process.argv[2])
const journal = journals[kind](place)
const say = (message) => void writeSync(1, `${JSON.stringify(message)}\n`)
let stored = null

/** Position 0 is the header, n the n-th record. Nothing in this process moves any more; whoever reads what it says kills it. */
function standStill() {
  say({ stands: position })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

async function watched(store) {
  const isHere = stored !== null && stored++ === position
  if (isHere && moment === "before") standStill()
  await store()
  if (isHere && moment === "after") standStill()
}

const watchedJournal = {
  ...journal,
  create: (header) => watched(() => journal.create(header)),
  append: (id, record) => watched(() => journal.append(id, record)),
}

/** Answers what the run asks, unless it is to go unanswered, and tells how it ended. */
async function toItsEnd(run) {
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

const runner = createRunner({ http: createHttpServices(), journal: watchedJournal })
const begin = (runId) => runner.start(JSON.parse(readFileSync(chart, "utf8")), { runId })
if (resumeRun !== null) {
  try {
    const isThere = (await journal.load(resumeRun)) !== null
    say({ took: await toItsEnd(isThere ? await runner.resume(resumeRun) : begin(resumeRun)) })
  } catch (error) {
    say({ refused: `${error.code}: ${error.stack}` })
  }
}
if (start !== null) {
  stored = 0
  const run = begin(start)
  let startedAt = null
  run.events$.subscribe(() => {
    if (startedAt !== null) return
    startedAt = performance.now()
    say({ began: start })
  })
  say({ ended: await toItsEnd(run), ms: performance.now() - startedAt })
}
await runner.close()
process.exit(0)
