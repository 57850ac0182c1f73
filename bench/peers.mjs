// Compares this package with other orchestrators, if the folder of the comparison exists. Its files
// are not part of this repository.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { basename, join } from "node:path"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { judge } from "./ratios.mjs"

const contender = fileURLToPath(new URL("./contender.mjs", import.meta.url))
const beside = fileURLToPath(new URL("../../shared/bench", import.meta.url))
const ownPackages = fileURLToPath(new URL("../node_modules", import.meta.url))

/**
 * Measurements in microseconds need a warm-up. Packages that are several times slower need fewer
 * repetitions.
 */
const warm = ["--budget", "1500"]
const quick = ["--rounds", "3", "--budget", "600"]

/**
 * State machines written by hand, in the form that suits the tree. Hundreds of XState regions would
 * dominate the duration.
 */
const byHand = [
  {
    work: "seq-10,seq-100,par-10,loop-100,loop-1000,tool-loop-50,nested,throughput,paused",
    machine: "xstate-naive",
    rounds: "3",
  },
  // Garbage collection is random, and it causes most of the variation for wide blocks.
  { work: "par-100,par-1000", machine: "xstate-fanout", rounds: "5" },
]

/**
 * Without `options`, compares this package with hand-written machines and with the installed
 * packages. Returns whether a stored ratio has become worse. With `options`, passes them to the
 * command of the comparison.
 */
export function comparePeers({ folder = beside, options, store = false }) {
  console.log("\n### Beside other orchestrators\n")
  if (!existsSync(join(folder, "bench.mjs"))) {
    console.log(
      `Skipped: the comparison is a folder of its own, which is not at ${folder}. Name it with --peers FOLDER.`,
    )
    return true
  }
  // The folder may be read-only.
  const copy = mkdtempSync(join(tmpdir(), "peers-"))
  cpSync(folder, copy, { recursive: true, filter: (file) => basename(file) !== "node_modules" })
  for (const entry of ["", ...readdirSync(copy, { recursive: true })])
    chmodSync(join(copy, entry), 0o755)
  const isInstalled = existsSync(join(folder, "node_modules"))
  if (isInstalled) symlinkSync(join(folder, "node_modules"), join(copy, "node_modules"))
  else {
    mkdirSync(join(copy, "node_modules"))
    symlinkSync(join(ownPackages, "xstate"), join(copy, "node_modules", "xstate"))
  }
  const run = (more) =>
    execFileSync(process.execPath, ["bench.mjs", "--contender", contender, ...more], {
      cwd: copy,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    })
  const cellsOf = (more) => {
    run([...more, "--out", "cells.json", "--no-cold"])
    return JSON.parse(readFileSync(join(copy, "cells.json"), "utf8")).cells
  }
  try {
    if (options.length > 0) {
      console.log(
        run(
          isInstalled || options.includes("--only")
            ? options
            : ["--only", "handwritten,ours,ours+jsonl", ...options],
        ),
      )
      return true
    }
    const cells = Object.assign(
      {},
      ...byHand.map(({ work, machine, rounds }) =>
        cellsOf([
          "--only",
          `handwritten,ours,${machine}`,
          "--work",
          work,
          "--rounds",
          rounds,
          ...warm,
        ]),
      ),
    )
    const peers = isInstalled
      ? cellsOf([
          "--only",
          "handwritten,ours,adk-js-nohist,adk-workflow,langgraph,langgraph+saver,mastra,mastra+store",
          ...quick,
        ])
      : null
    if (peers === null)
      console.log(
        "The peers are not installed there (npm i --legacy-peer-deps), so only machines by hand stand beside this package.\n",
      )
    return judge({ cells, peers, store })
  } finally {
    rmSync(copy, { recursive: true })
  }
}
