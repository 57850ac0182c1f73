// Tests runs on real Restate servers. Kills the process that executes runs, the server, or both, and in a cluster one node after the
// other. Compares each result with an undisturbed run.
//   --random N   number of random times for each victim     --seed N       seed of the random times
//   --every N    every N-th position only                   --only WORDS   only the trials whose names contain WORDS
//   --single, --cluster   only one server, or only three servers
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compile } from "agent-statecharts"
import { isInstalled, workspace } from "../../engines/restate/server.mjs"
import { randomFrom } from "../kill/random.mjs"
import { graph } from "../kill/graph.mjs"
import { workflow } from "../kill/workflow.mjs"
import { exampleTrial } from "./example-trial.mjs"
import { killTrial, nodeVictim, playGraph, playRun } from "./kill-trial.mjs"
import { messageTrials } from "./message-trials.mjs"
import { cancelTrials, lettingGo } from "./socket-trials.mjs"
import { openWorld } from "./world.mjs"

const { values } = parseArgs({
  options: {
    random: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    every: { type: "string" },
    single: { type: "boolean" },
    cluster: { type: "boolean" },
  },
})
const random = Number(values.random ?? 4)
const every = Number(values.every ?? 1)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const next = randomFrom(seed)
const isWanted = (name) => values.only === undefined || name.includes(values.only)
let [passed, failed, runs] = [0, 0, 0]

if (!isInstalled()) {
  console.log(
    "installing the Restate server into engines/restate (about 225 MB, Business Source License 1.1)",
  )
  const { status } = spawnSync("npm", ["ci", "--prefix", workspace], { stdio: "inherit" })
  if (status !== 0 || !isInstalled())
    throw new Error(
      `npm ci --prefix ${workspace} did not install a server for ${process.platform}-${process.arch}`,
    )
}

function say(name, failures, note = "") {
  if (failures.length === 0) passed++
  else failed++
  console.log(
    `${failures.length === 0 ? "ok      " : "failed  "}${name}${note === "" ? "" : `: ${note}`}`,
  )
  for (const failure of failures) console.log(`    ${failure}`)
}

async function attempt(name, action) {
  if (!isWanted(name)) return
  try {
    say(name, [], (await action(`run-${runs++}`)) ?? "")
  } catch (error) {
    say(name, [
      String(error?.stack ?? error)
        .split("\n")
        .slice(0, 6)
        .join("\n"),
    ])
  }
}

async function inWorld(count, title, trials) {
  const folder = mkdtempSync(join(tmpdir(), "restate-"))
  const began = performance.now()
  const world = await openWorld(count, folder)
  try {
    await world.settled()
    const { chart } = compile(workflow(world.calls.base))
    const runId = `whole-${count}`
    const startedAt = performance.now()
    const expected = { runId, result: await playRun(world, runId, chart) }
    const ms = performance.now() - startedAt
    if (expected.result.status !== "completed")
      throw new Error(`the undisturbed run failed: ${JSON.stringify(expected)}`)
    console.log(
      `${title}: up after ${Math.round(startedAt - began)} ms; undisturbed, a run with ${world.calls.of(runId).asked.size} calls takes ${Math.round(ms)} ms`,
    )
    await trials(world, { chart, expected, ms })
  } finally {
    await world.close()
    if (failed === 0) rmSync(folder, { recursive: true })
    else console.log(`The data and logs of the servers are in ${folder}.`)
  }
}

/** Runs a kill trial. If a random time is after the end of the run, an earlier time is tried. */
async function kill(world, { chart, expected, play }, what, victim, moment) {
  const name = `${what}, ${Object.entries(moment())[0].join(" ")}`
  await attempt(name, async () => {
    for (;;) {
      const startedAt = performance.now()
      const { failures, wasKilled, stored, twice } = await killTrial({
        world,
        chart,
        expected,
        runId: `run-${runs++}`,
        victim,
        at: moment(),
        play,
      })
      if (failures.length > 0) throw new Error(failures.join("\n    "))
      if (!wasKilled && moment().ms === undefined)
        throw new Error("the run ended before anything was killed")
      if (wasKilled)
        return `${stored} results stored before, ${twice} calls made twice, ${Math.round(performance.now() - startedAt)} ms`
    }
  })
}

console.log(`seed ${seed} (--seed ${seed} repeats the random moments)`)

/** Kills a run of a graph: during its polls, in its loop, and while it waits for people. */
async function graphs(world) {
  if (!isWanted("a graph")) return
  const { chart } = compile(graph(world.calls.base))
  const runId = `graph-${runs++}`
  const result = await playGraph(world, runId, chart)
  if (result.status !== "completed") throw new Error(`the graph failed: ${JSON.stringify(result)}`)
  const trial = { chart, expected: { runId, result }, play: playGraph }
  for (const victim of ["service", "server", "both"]) {
    for (const asked of [2, 5, 8])
      await kill(world, trial, `a graph, killed: ${victim}`, victim, () => ({ asked }))
    await kill(world, trial, `a graph, killed: ${victim}`, victim, () => ({ waiting: 1 }))
  }
}

async function messages(world) {
  for (const [name, trial] of Object.entries(messageTrials))
    await attempt(name, (runId) => trial(world, runId))
}

async function cancels(world) {
  for (const [name, trial] of Object.entries(cancelTrials)) {
    await attempt(name, async (runId) => {
      const times = []
      for (let n = 0; n < 7; n++) times.push(await trial(world, runId, n))
      const told = times.map((time) => Math.round(time)).join(", ")
      // On a busy machine, a single measurement can be late.
      const [median] = times.sort((one, other) => one - other).slice(3)
      if (median > 100) throw new Error(`it took ${told} ms`)
      return `${told} ms`
    })
  }
}

if (!values.cluster) {
  await inWorld(1, "one server", async (world, trial) => {
    for (const victim of ["service", "server", "both"]) {
      const name = `killed: ${victim}`
      for (const asked of [1, 4, 7, 10, 13, 16, 19, 21].filter(
        (_, position) => position % every === 0,
      ))
        await kill(world, trial, name, victim, () => ({ asked }))
      for (const waiting of [1, 2]) await kill(world, trial, name, victim, () => ({ waiting }))
      for (let n = 0; n < random; n++) {
        const ms = Math.floor(next() * trial.ms)
        let tries = 0
        await kill(world, trial, name, victim, () => ({ ms: Math.floor(ms / (1 + tries++ / 4)) }))
      }
    }
    await graphs(world)
    await messages(world)
    await attempt(
      "calls in flight are aborted when the server is lost, and repeated with the same keys when it is back",
      (runId) => lettingGo(world, runId),
    )
    await cancels(world)
    // This trial is the last, because the service of the example executes all later runs.
    await attempt("the example programs print the expected output", () => exampleTrial(world))
  })
}

if (!values.single) {
  await inWorld(3, "three servers", async (world, trial) => {
    const lose = async (what, node, moment) => {
      await kill(world, trial, `killed: ${what}`, nodeVictim(node), () => moment)
      await world.startNode(node)
      return world.settled()
    }
    let leaders = await world.settled()
    for (const moment of [{ asked: 5 }, { waiting: 1 }, { asked: 14 }])
      leaders = await lose("the node that leads", leaders[0], moment)
    for (const moment of [{ asked: 9 }, { waiting: 2 }])
      for (const node of world.nodes)
        leaders = await lose(
          `${node.name}, ${leaders.includes(node) ? "which leads" : "which follows"}`,
          node,
          moment,
        )
    await cancels(world)
  })
}

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
