// The comparison with other orchestrators, where its folder is at hand: its files are not part of this repository.
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const contender = fileURLToPath(new URL("./contender.mjs", import.meta.url))
const beside = fileURLToPath(new URL("../../shared/bench", import.meta.url))

/** Enough for a look; what is to be quoted takes more rounds and a larger budget. */
const quick = ["--rounds", "1", "--budget", "500"]

export function comparePeers({ folder = beside, options }) {
  console.log("\n### Beside other orchestrators\n")
  if (!existsSync(join(folder, "bench.mjs"))) {
    console.log(`Skipped: the comparison is a folder of its own, which is not at ${folder}. Name it with --peers FOLDER.`)
    return
  }
  // It may be read-only, and its peers may be installed or not: without them only what needs none is run.
  const copy = mkdtempSync(join(tmpdir(), "peers-"))
  cpSync(folder, copy, { recursive: true })
  for (const entry of ["", ...readdirSync(copy, { recursive: true })]) chmodSync(join(copy, entry), 0o755)
  const isInstalled = existsSync(join(copy, "node_modules"))
  const only = options.includes("--only") || isInstalled ? [] : ["--only", "handwritten,ours,ours+jsonl"]
  try {
    execFileSync(process.execPath, ["bench.mjs", "--contender", contender, ...only, ...(options.length > 0 ? options : quick)], { cwd: copy, stdio: ["ignore", "inherit", "ignore"] })
    if (!isInstalled) console.log("\nThe other contenders are not installed there, so only the handwritten floor and this package were run.")
  } finally {
    rmSync(copy, { recursive: true })
  }
}
