// The process that is killed: starts a run or takes it up, answers what it asks, and tells how it ended. With a position it kills
// itself when the journal is there: `before` a record is stored, or `after` it was, and nobody was told.
import { compile, createRunner } from "agent-statecharts"
import { journals } from "./journals.mjs"
import { reply, workflow } from "./workflow.mjs"

const [kind, place, runId, base, moment = "never", position = "-1"] = process.argv.slice(2)
const journal = journals[kind](place)
const die = () => process.kill(process.pid, "SIGKILL")
let stored = 0

/** Position 0 is the header, n the n-th record. */
async function watched(store) {
  const here = stored++ === Number(position)
  if (here && moment === "before") die()
  await store()
  if (here && moment === "after") die()
}

const watchedJournal = {
  ...journal,
  create: (header) => watched(() => journal.create(header)),
  append: (id, record) => watched(() => journal.append(id, record)),
}

const runner = createRunner({ journal: watchedJournal })
const { chart, diagnostics } = compile(workflow(base))
if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
const isThere = (await journal.load(runId)) !== null
const run = isThere ? await runner.resume(runId) : runner.start(chart, { runId })
const checkpoints = []
run.events$.subscribe((event) => {
  if (event.type === "checkpoint") checkpoints.push([event.path, event.completedSubAgents])
  if (event.type === "run.started") process.send?.("started")
})
while ((await run.rest()).status === "waiting") reply(run)
const { status, text, state, error } = await run.result
await runner.close()
console.log(JSON.stringify({ status, text, state, error, checkpoints }))
