// Kills runs, each once: at every position of the journal, before and after it is stored, and at 200 random moments. Another process takes
// each up, and what comes out is compared with an undisturbed run. Both journals get all positions and half of the random moments.
//   --random N       so many random moments          --seed N      the same ones again
//   --every N        every n-th position only        --journal K   jsonl or sqlite only      --lanes N   so many at once
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compile } from "agent-statecharts"
import { journals } from "./journals.mjs"
import { randomFrom } from "./random.mjs"
import { startService } from "./service.mjs"
import { live, wrongInEnd, wrongInJournal } from "./trial.mjs"
import { workflow } from "./workflow.mjs"

const { values } = parseArgs({
  options: {
    random: { type: "string" },
    seed: { type: "string" },
    journal: { type: "string" },
    every: { type: "string" },
    lanes: { type: "string" },
  },
})
const random = Number(values.random ?? 200)
const every = Number(values.every ?? 1)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kinds = Object.keys(journals).filter((name) => [name, undefined].includes(values.journal))
/** Runs wait for sockets and timers more than half of their time. */
const lanes = Number(values.lanes ?? 2 * availableParallelism())

const startedAt = performance.now()
const folder = mkdtempSync(join(tmpdir(), "kill-"))
const service = await startService()
const next = randomFrom(seed)
const chartFile = join(folder, "chart.json")
const { chart, diagnostics } = compile(workflow(service.base))
if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
writeFileSync(chartFile, JSON.stringify(chart))
let [passed, failed, runs] = [0, 0, 0]
console.log(`seed ${seed} (--seed ${seed} repeats the random moments)`)

for (const [nth, kind] of kinds.entries()) {
  const place = join(folder, kind)
  const processes = { kind, place, chart: chartFile }
  const wholeId = `${kind}-whole`
  // As in the relay: the run that counts is the second one of its process.
  const whole = await live({ ...processes, resumeRun: `${kind}-first`, start: wholeId })
  if (whole.ended?.status !== "completed")
    throw new Error(`the undisturbed run failed: ${JSON.stringify(whole)}`)
  const journal = journals[kind](place)
  const { length } = (await journal.load(wholeId)).records
  const expected = {
    runId: wholeId,
    result: whole.ended,
    keys: [...service.of(wholeId).carriedOut.keys()].sort(),
  }
  const positions = Array.from({ length: length + 1 }, (_, position) => position).filter(
    (position) => position % every === 0,
  )
  const randomHere = Math.floor(random / kinds.length) + (nth < random % kinds.length ? 1 : 0)
  const atRandom = () => ({ killAfterMs: Math.floor(next() * whole.ms) })
  const ways = [
    ...positions.flatMap((position) => ["before", "after"].map((moment) => ({ moment, position }))),
    ...Array.from({ length: randomHere }, atRandom),
  ]
  let [killed, late] = [0, 0]
  const judge = ({ runId, how, failures }) => {
    killed++
    if (failures.length === 0) return passed++
    failed++
    console.log(
      `failed  ${kind} ${JSON.stringify(how)} (${runId})\n${failures.map((failure) => `    ${failure}`).join("\n")}`,
    )
  }
  /** Each process takes up the run that the one before it was killed in. */
  const relay = async () => {
    let before = null
    for (;;) {
      const how = ways.shift()
      if (how === undefined && before === null) return
      const runId = how === undefined ? null : `${kind}-${runs++}`
      const process = await live({
        ...processes,
        resumeRun: before?.runId ?? null,
        start: runId,
        how,
      })
      if (before !== null)
        judge({
          ...before,
          failures: [
            ...before.failures,
            ...wrongInEnd({ ...before, took: process, counts: service.of(before.runId), expected }),
          ],
        })
      before = null
      if (how === undefined) continue
      // The run was quicker than the moment: another one counts instead.
      if (how.killAfterMs !== undefined && !process.isKilled && process.ended !== null) {
        late++
        ways.push(atRandom())
        continue
      }
      const stored = await journal.load(runId)
      before = { runId, how, stored, failures: wrongInJournal(how, process, stored) }
    }
  }
  await Promise.all(Array.from({ length: lanes }, relay))
  journal.close?.()
  console.log(
    `${kind}: killed ${killed} times, ${2 * positions.length} of them at positions of the journal; ${length} records and ${Math.round(whole.ms)} ms undisturbed; ${late} ended before their random moment and were replaced`,
  )
}

await service.close()
if (service.withoutRun() > 0) {
  failed++
  console.log("failed  a call was made without a key")
}
if (failed === 0) rmSync(folder, { recursive: true })
else console.log(`The journals are in ${folder}.`)
console.log(`took ${Math.round((performance.now() - startedAt) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
