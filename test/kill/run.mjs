// Kills a run at every position of its journal and at random moments, takes it up in a new process each time, and compares.
//   --full           both moments of each position, and 200 random ones; takes about 20 minutes
//   --random N       so many random moments          --seed N      the same ones again
//   --every N        every n-th position only        --journal K   jsonl or sqlite only
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { journals } from "./journals.mjs"
import { randomFrom } from "./random.mjs"
import { startService } from "./service.mjs"
import { kill, live } from "./trial.mjs"

const { values } = parseArgs({
  options: { full: { type: "boolean" }, random: { type: "string" }, seed: { type: "string" }, journal: { type: "string" }, every: { type: "string" } },
})
const random = Number(values.random ?? (values.full ? 200 : 8))
const every = Number(values.every ?? 1)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))

const folder = mkdtempSync(join(tmpdir(), "kill-"))
const service = await startService()
const next = randomFrom(seed)
let [passed, failed, runs] = [0, 0, 0]
console.log(`seed ${seed} (--seed ${seed} repeats the random moments)`)

for (const kind of Object.keys(journals).filter((name) => [name, undefined].includes(values.journal))) {
  const place = join(folder, kind)
  const undisturbed = await live(kind, place, `${kind}-whole`, service.base)
  if (undisturbed.result?.status !== "completed") throw new Error(`the undisturbed run failed: ${JSON.stringify(undisturbed)}`)
  const journal = journals[kind](place)
  const { length } = (await journal.load(`${kind}-whole`)).records
  journal.close?.()
  const expected = { runId: `${kind}-whole`, result: undisturbed.result }
  const positions = Array.from({ length: length + 1 }, (_, position) => position).filter((position) => position % every === 0)
  const moments = values.full ? ["before", "after"] : ["after"]
  const ways = [
    ...positions.flatMap((position) => moments.map((moment) => ({ moment, position }))),
    ...Array.from({ length: random }, () => ({ killAfterMs: Math.floor(next() * undisturbed.ms) })),
  ]
  const total = ways.length
  let dead = 0
  const work = async () => {
    for (let how; (how = ways.shift()); ) {
      const runId = `${kind}-${runs++}`
      const { failures, wasKilled } = await kill({ kind, place, runId, service, expected, how })
      if (wasKilled) dead++
      if (failures.length === 0) passed++
      else {
        failed++
        console.log(`failed  ${kind} ${JSON.stringify(how)} (${runId})\n${failures.map((failure) => `    ${failure}`).join("\n")}`)
      }
    }
  }
  await Promise.all([work(), work()])
  console.log(`${kind}: ${total} runs, ${dead} of them killed in time; ${length} records undisturbed, ${Math.round(undisturbed.ms)} ms`)
}

await service.close()
if (failed === 0) rmSync(folder, { recursive: true })
else console.log(`The journals are in ${folder}.`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
