// npm run bench: measures journals, resuming, stalled readers, load, and this package against others.
//   --part NAME      only startup, journal, many-runs, growth, resume, load, serve,
//                    prune, for-each, policies, studio, first-drawing or peers
//   --rounds N       repetitions of each measurement; the median is printed
//   --peers FOLDER   folder of the comparison with other orchestrators;
//                    arguments after `--` are passed to it: -- --work seq-100 --rounds 3
//   --store          saves the ratios of the comparison in bench/ratios.json
// Exits with 1 if a stored ratio has become worse by more than 15 %, if cost grows faster than the
// tree, if a program starts slower or policies cost more than their limit, if deleting 100,000 runs
// takes longer than a minute, or if another package is cheaper.
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { readFileSync } from "node:fs"
import { firstDrawingReport } from "./first-drawing.mjs"
import { forEachCost } from "./for-each.mjs"
import { journalCost } from "./journal-cost.mjs"
import { journalGrowth } from "./journal-growth.mjs"
import { loadReport } from "./load.mjs"
import { manyRuns } from "./many-runs.mjs"
import { comparePeers } from "./peers.mjs"
import { policyCost } from "./policies.mjs"
import { pruneCost } from "./prune.mjs"
import { resumeCost } from "./resume.mjs"
import { stall } from "./stall.mjs"
import { studioReport } from "./studio.mjs"
import { startup } from "./startup.mjs"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: "string" },
    rounds: { type: "string" },
    peers: { type: "string" },
    store: { type: "boolean" },
  },
})
const rounds = Number(values.rounds ?? 9)
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

const parts = {
  startup: () => startup({ rounds }),
  journal: () => journalCost({ rounds }),
  "many-runs": () => manyRuns({ atOnce: 1_000, rounds }),
  growth: () => journalGrowth({ sizes: [100, 200, 400, 800, 1600, 3200] }),
  resume: () => resumeCost({ records: 20_000, rounds: Math.min(rounds, 5) }),
  prune: () => pruneCost({ ended: 100_000, open: 1_000 }),
  load: () => loadReport({ concurrent: 10_000, total: 40_000 }),
  serve: () => stall({ runs: 2_000, seconds: 10, turns: 5 }),
  "for-each": () =>
    forEachCost({
      rounds: Math.min(rounds, 5),
      ...(values.peers !== undefined && { folder: values.peers }),
    }),
  policies: () => policyCost({ rounds: rounds * 5 }),
  studio: () => studioReport({ events: 20_000, seconds: 60 }),
  "first-drawing": () => firstDrawingReport({ rounds: Math.min(rounds, 3) }),
  peers: () =>
    comparePeers({
      ...(values.peers !== undefined && { folder: values.peers }),
      options: positionals,
      store: values.store === true,
    }),
}
const chosen = values.part === undefined ? Object.keys(parts) : [values.part]
if (!chosen.every((part) => Object.hasOwn(parts, part)))
  throw new Error(`there is no part "${values.part}"; there are ${Object.keys(parts).join(", ")}`)

console.log(
  `agent-statecharts ${version}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${new Date().toISOString().slice(0, 10)}`,
)
for (const [index, part] of chosen.entries()) {
  if (process.stderr.isTTY)
    console.error(`Measuring ${part}, part ${index + 1} of ${chosen.length}`)
  if ((await parts[part]()) === false) process.exitCode = 1
}
