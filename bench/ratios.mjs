// Evaluates a comparison: prints its ratios and compares them with the stored ones.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { printTable } from "./measure.mjs"

const file = new URL("./ratios.json", import.meta.url)

/** A ratio may become worse by this factor. Runs on one machine differ by that much. */
const tolerated = 1.15

/** Upper limits for the exponents k in cost ~ size^k. */
const grows = [
  ["seq-10", "seq-100"],
  ["par-100", "par-1000"],
  ["loop-100", "loop-1000"],
]
const largestExponent = 1.25

const steps = {
  "seq-10": 10,
  "seq-100": 100,
  "par-10": 10,
  "par-100": 100,
  "par-1000": 1000,
  "loop-100": 200,
  "loop-1000": 2000,
  "tool-loop-50": 51,
  nested: 14,
}

const workloadSize = (workload) => Number(workload.split("-").at(-1))

const isMachine = (name) => name.startsWith("xstate-")
const costOf = (workload, cell) => (workload === "paused" ? cell?.bytesPerRun : cell?.cpuMs)

/**
 * Prints the tables. Returns whether no ratio has become worse and no other package is cheaper.
 * `store` saves the ratios.
 */
export function judge({ cells, peers, store }) {
  const ratios = {}
  const rows = []
  for (const [workload, by] of Object.entries(cells)) {
    const machine = Object.entries(by).find(
      ([name, cell]) => isMachine(name) && costOf(workload, cell) !== undefined,
    )
    if (machine === undefined) continue
    const [name, cell] = machine
    ratios[workload] = Number((costOf(workload, by.ours) / costOf(workload, cell)).toFixed(3))
    rows.push([
      workload,
      formatMeasurement(workload, by.ours, by.handwritten),
      formatMeasurement(workload, cell, by.handwritten),
      name,
      ratios[workload],
    ])
  }
  printTable(
    "This package and machines by hand",
    ["tree", "agent-statecharts", "by hand", "its form", "ratio"],
    rows,
  )
  const exponents = grows.flatMap(([small, large]) => {
    const k =
      Math.log10(cells[large].ours.cpuMs / cells[small].ours.cpuMs) /
      Math.log10(workloadSize(large) / workloadSize(small))
    return Number.isFinite(k) ? [[`${small} to ${large}`, k]] : []
  })
  printTable(
    "Exponents",
    ["from, to", "k"],
    exponents.map(([name, k]) => [name, k.toFixed(2)]),
  )
  const problems = exponents
    .filter(([, k]) => k > largestExponent)
    .map(
      ([name, k]) =>
        `the cost from ${name} grows with exponent ${k.toFixed(2)}, more than ${largestExponent}`,
    )
  if (peers !== null) problems.push(...printPeers(peers))
  const stored = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  for (const [workload, before] of Object.entries(stored)) {
    const now = ratios[workload]
    if (now > before * tolerated)
      problems.push(
        `${workload}: ${now} times the cost of the machine by hand, where ${before} is stored`,
      )
  }
  if (store) writeFileSync(file, `${JSON.stringify(ratios, null, 2)}\n`)
  for (const problem of problems) console.log(`\nWorse: ${problem}.`)
  return problems.length === 0
}

/** Prints the table of the other packages. Returns those that are cheaper. */
function printPeers(peers) {
  const rows = []
  const problems = []
  for (const [workload, { handwritten, ours, ...others }] of Object.entries(peers)) {
    const measured = Object.entries(others).filter(
      ([, cell]) => costOf(workload, cell) !== undefined,
    )
    if (measured.length === 0) continue
    const [name, cheapest] = measured.reduce((best, one) =>
      costOf(workload, one[1]) < costOf(workload, best[1]) ? one : best,
    )
    const ratio = costOf(workload, cheapest) / costOf(workload, ours)
    rows.push([
      workload,
      formatMeasurement(workload, ours, handwritten),
      formatMeasurement(workload, cheapest, handwritten),
      name,
      ratio.toFixed(2),
    ])
    if (ratio < 1)
      problems.push(`${workload}: ${name} is cheaper, ${ratio.toFixed(2)} of the cost here`)
  }
  printTable(
    "This package and the cheapest of its peers",
    ["tree", "agent-statecharts", "the cheapest peer", "which", "its cost by ours"],
    rows,
  )
  return problems
}

/**
 * Formats a measurement: CPU time per agent step above the baseline, heap per waiting run, or runs
 * per second.
 */
function formatMeasurement(workload, cell, floor) {
  if (workload === "paused") return `${Math.round(cell.bytesPerRun)} bytes`
  if (workload === "throughput")
    return `${Math.round(1000 / (cell.cpuMs / 1000))} runs a CPU second`
  return `${(((cell.cpuMs - floor.cpuMs) * 1000) / steps[workload]).toFixed(1)} µs`
}
