// A process that executes runs on DBOS. It first completes the runs of an earlier process. Then it starts its own runs, or resumes
// them if they exist. It answers their requests and prints their results. With `position`, it kills itself at the step of its own
// runs with this index: `before` DBOS stores the result of the step, or `after` that, before the run receives the result.
import { DBOS } from "@dbos-inc/dbos-sdk"
import { compile } from "agent-statecharts"
import { dbosRuns } from "agent-statecharts/adapters/engine/dbos"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { expires, reply, workflow } from "../../../kill/workflow.mjs"

const {
  url,
  owner,
  resumeIds = [],
  runIds,
  base,
  config = workflow(base),
  answers = true,
  moment = "never",
  position = -1,
} = JSON.parse(process.argv[2])
const die = () => process.kill(process.pid, "SIGKILL")

const { runStep } = DBOS
/** The number of steps of its own runs. */
let steps = 0
let isResuming = true
DBOS.runStep = async (act, config) => {
  const here = !isResuming && steps++ === position
  const result = await runStep(here && moment === "before" ? () => act().then(die) : act, config)
  if (here && moment === "after") die()
  return result
}

/** The checkpoints of the runs that this process executes, by run id. */
const checkpoints = {}
const http = createHttpServices()
const runs = dbosRuns(
  { http },
  {
    opened: (run) => {
      checkpoints[run.runId] = []
      process.send?.({ carriesSince: Date.now() })
      run.events$.subscribe((event) => {
        if (event.type === "checkpoint")
          checkpoints[run.runId].push([event.path, event.completedSubAgents])
      })
    },
  },
)
const silent = { info() {}, debug() {}, warn() {}, error() {} }

const { chart, diagnostics } = compile(config)
if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))

/** Returns the message that a person would send. */
function messageFor(request) {
  let message
  reply(
    {
      approve: (id) => (message = { type: "approve", id }),
      answer: (id, value) => (message = { type: "answer", id, value }),
    },
    request,
  )
  return message
}

async function answer(runId) {
  const asked = []
  for (;;) {
    const { status, pending } = await runs.status(runId)
    if (status !== "running" && status !== "waiting") return
    const request = pending.find(({ id }) => !expires(id) && !asked.includes(id))
    if (request !== undefined) {
      asked.push(request.id)
      process.send?.({ asks: request.id })
      // With the key, the same answer of an earlier process counts once.
      if (answers) await runs.give(runId, messageFor(request), request.id)
    }
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}

/** Starts a run, or resumes it if DBOS has stored it. Returns its result. */
async function carry(runId) {
  if ((await DBOS.getWorkflowStatus(runId)) === null) await runs.start(chart, { runId })
  if (!isResuming) process.send?.("started")
  const asking = answer(runId)
  const { status, text, state, error } = await runs.result(runId)
  await asking
  return [runId, { status, text, state, error, checkpoints: checkpoints[runId] }]
}

async function main() {
  DBOS.setConfig({ name: owner, systemDatabaseUrl: url, logger: silent })
  await DBOS.launch()
  const resumed = Object.fromEntries(await Promise.all(resumeIds.map(carry)))
  if (resumeIds.length > 0) process.send?.({ resumed })
  isResuming = false
  const results = Object.fromEntries(await Promise.all(runIds.map(carry)))
  await DBOS.shutdown()
  await http.close()
  console.log(JSON.stringify({ results, steps }))
}

void main()
