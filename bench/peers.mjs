// The comparison with other orchestrators, where its folder is at hand: its files are not part of this repository.
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

/** What is compared in microseconds has to be warm; of peers that cost several times as much a look is enough. */
const warm = ["--budget", "1500"]
const quick = ["--rounds", "3", "--budget", "600"]

/** Machines by hand, in the form that suits the tree: regions of XState by the hundred would take most of the time. */
const byHand = [
  {
    work: "seq-10,seq-100,par-10,loop-100,loop-1000,tool-loop-50,nested,throughput,paused",
    machine: "xstate-naive",
    rounds: "3",
  },
  // When the collector comes is chance, and of a wide block it is most of the difference.
  { work: "par-100,par-1000", machine: "xstate-fanout", rounds: "5" },
]

/**
 * Without `options`: this package beside machines by hand, and beside its peers where they are installed in the folder; returns whether a stored
 * ratio has become worse. With `options` it is the comparison's own command, to look at one thing.
 */
export function comparePeers({ folder = beside, options, store = false }) {
  console.log("\n### Beside other orchestrators\n")
  if (!existsSync(join(folder, "bench.mjs"))) {
    console.log(
      `Skipped: the comparison is a folder of its own, which is not at ${folder}. Name it with --peers FOLDER.`,
    )
    return true
  }
  // It may be read-only.
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
