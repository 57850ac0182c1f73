// Kills each run once: at every journal position, before and after the record is stored, and at 200 random times. Another process
// resumes the run, and its result is compared with an uninterrupted run. The random times are divided between the two journals.
//   --random N       number of random times          --seed N      seed of the random times
//   --every N        every N-th position only        --journal K   jsonl or sqlite only      --lanes N   number of parallel processes
//   --others N       every N-th position only, except for the agents with the first journal
//   --runs N         number of runs in which each process is killed      --workflow W   agents or graph only
// The graph is only killed at journal positions, and with one journal, because the agents test the journals.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { compile } from "agent-statecharts"
import { bundleProgram } from "../support/bundle-program.mjs"
import { journals } from "./journals.mjs"
import { journalProblems, resultProblems, runProcess } from "./processes.mjs"
import { randomFrom } from "./random.mjs"
import { startService } from "./service.mjs"
import { graph } from "./graph.mjs"
import { loadWithChild, workflowWithCall } from "./workflow-with-call.mjs"

const { values } = parseArgs({
  options: {
    random: { type: "string" },
    seed: { type: "string" },
    journal: { type: "string" },
    every: { type: "string" },
    others: { type: "string" },
    lanes: { type: "string" },
    runs: { type: "string" },
    workflow: { type: "string" },
  },
})
const random = Number(values.random ?? 200)
const every = Number(values.every ?? 1)
const others = Number(values.others ?? every)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kinds = Object.keys(journals).filter((name) => [name, undefined].includes(values.journal))
/** Runs wait for sockets and timers more than half of their time. */
const lanes = Number(values.lanes ?? 2 * availableParallelism())
/** Number of runs in which each process is killed. Starting a process costs more than several runs. */
const perProcess = Number(values.runs ?? 6)

const startedAt = performance.now()
const folder = mkdtempSync(join(tmpdir(), "kill-"))
const bundle = await bundleProgram(fileURLToPath(new URL("./child.mjs", import.meta.url)))
const service = await startService()
const next = randomFrom(seed)
const trials = [
  ...kinds.map((kind) => ({ kind, name: "agents", config: workflowWithCall(service.base) })),
  { kind: kinds[0], name: "graph", config: graph(service.base) },
].filter(({ name }) => [name, undefined].includes(values.workflow))
let [passed, failed, runs] = [0, 0, 0]
console.log(`seed ${seed} (--seed ${seed} repeats the random times)`)

for (const [index, { kind, name, config }] of trials.entries()) {
  const place = join(folder, `${kind}-${name}`)
  const chartFile = `${place}.json`
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
  writeFileSync(chartFile, JSON.stringify(chart))
  const options = { program: bundle.start, kind, place, chart: chartFile }
  const wholeId = `${kind}-${name}-whole`
  // The reference is the second run of its process, as in all other processes.
  const reference = await runProcess({
    ...options,
    resumeRuns: [`${kind}-${name}-first`],
    startRuns: [{ runId: wholeId }],
  })
  const whole = reference.run(wholeId)
  if (whole.ended?.status !== "completed")
    throw new Error(`the uninterrupted run failed: ${reference.errors} ${JSON.stringify(whole)}`)
  const journal = journals[kind](place)
  const { length } = (await loadWithChild(journal, wholeId)).records
  const expected = {
    runId: wholeId,
    result: whole.ended,
    keys: [...service.of(wholeId).carriedOut.keys()].sort(),
  }
  const positions = Array.from({ length: length + 1 }, (_, position) => position).filter(
    (position) => position % (index === 0 ? every : others) === 0,
  )
  const randomHere =
    name === "graph"
      ? 0
      : Math.floor(random / kinds.length) + (index < random % kinds.length ? 1 : 0)
  const atRandom = () => ({ killAfterMs: Math.floor(next() * whole.ms) })
  const atPositions = positions.flatMap((position) =>
    ["before", "after"].map((moment) => ({ moment, position })),
  )
  const atRandomTimes = Array.from({ length: randomHere }, atRandom)
  let [killed, late] = [0, 0]
  const count = ({ runId, how, problems }) => {
    killed++
    if (problems.length === 0) return passed++
    failed++
    console.log(
      `failed  ${kind} ${name} ${JSON.stringify(how)} (${runId})\n${problems.map((problem) => `    ${problem}`).join("\n")}`,
    )
  }
  /** Takes the runs of the next process: they are all killed at journal positions, or all at random times. */
  const nextRuns = () =>
    (atPositions.length > 0 ? atPositions : atRandomTimes).splice(0, perProcess)
  /** Starts one process after the other. Each resumes the runs in which the previous one was killed. */
  const relay = async () => {
    let killedRuns = []
    for (;;) {
      const started = nextRuns().map((how) => ({ how, runId: `${kind}-${name}-${runs++}` }))
      if (started.length === 0 && killedRuns.length === 0) return
      // One kill hits each run at its own time, because the runs start one after the other.
      const killAfterMs = Math.max(...started.map(({ how }) => how.killAfterMs ?? 0))
      const process = await runProcess({
        ...options,
        resumeRuns: killedRuns.map(({ runId }) => runId),
        startRuns: started.map(({ runId, how: { killAfterMs: lifeMs = killAfterMs, ...how } }) => ({
          runId,
          ...how,
          delayMs: killAfterMs - lifeMs,
        })),
        ...(started.some(({ how }) => how.killAfterMs !== undefined) && { killAfterMs }),
      })
      for (const { runId, how, stored, problems } of killedRuns) {
        const counts = service.of(runId)
        count({
          runId,
          how,
          problems: [...problems, ...resultProblems({ runId, stored, process, counts, expected })],
        })
      }
      killedRuns = []
      for (const { runId, how } of started) {
        // The run ended before its random time, so another random time replaces it.
        if (how.killAfterMs !== undefined && process.run(runId).ended !== null) {
          late++
          atRandomTimes.push(atRandom())
          continue
        }
        const stored = await loadWithChild(journal, runId)
        const problems = journalProblems({ runId, ...how }, process, stored)
        killedRuns.push({ runId, how, stored, problems })
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, relay))
  journal.close?.()
  console.log(
    `${kind} ${name}: killed ${killed} times, ${2 * positions.length} of them at journal positions; ${length} records and ${Math.round(whole.ms)} ms without interruption; ${late} runs ended before their random time and were replaced`,
  )
}

await service.close()
bundle.remove()
if (service.withoutRun() > 0) {
  failed++
  console.log("failed  a call had no idempotency key")
}
if (failed === 0) rmSync(folder, { recursive: true })
else console.log(`The journals are in ${folder}.`)
console.log(`took ${Math.round((performance.now() - startedAt) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
