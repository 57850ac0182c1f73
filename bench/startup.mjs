// Measures the CPU time of short commands and of imports, each in a process of its own.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { median, printTable } from "./measure.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const main = join(root, "dist/cli/main.js")
const workflow = join(root, "examples/human-approval/workflow.json")

/**
 * Upper limits in milliseconds of CPU above a Node process that does nothing. The machine of the
 * limits starts Node in 55 ms. On a slower machine, all limits are scaled by its time for that.
 */
const bareMs = 55
const limits = {
  'import "agent-statecharts"': 80,
  'import "agent-statecharts/runtime"': 66,
  'import "agent-statecharts/runtime/core"': 52,
  'import "agent-statecharts/compiler"': 46,
  "agent-statecharts --version": 60,
  "agent-statecharts check workflow.json": 200,
}

/** Prints the times. Returns whether all of them are below their limits. */
export function startup({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), "agent-statecharts-startup-"))
  try {
    const file = (name, text) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    // Writes the CPU time to stderr when the process ends.
    const hook = file(
      "hook.cjs",
      `process.on("exit", () => {
        const { user, system } = process.cpuUsage()
        require("node:fs").writeSync(2, "\\ncpu " + (user + system) / 1000)
      })`,
    )
    const importOf = (entry) =>
      `import ${JSON.stringify(new URL(`../dist/${entry}`, import.meta.url).href)}`
    const programs = {
      node: [file("nothing.mjs", "")],
      'import "agent-statecharts"': [file("main.mjs", importOf("index.js"))],
      'import "agent-statecharts/runtime"': [file("runtime.mjs", importOf("runtime/index.js"))],
      'import "agent-statecharts/runtime/core"': [file("core.mjs", importOf("runtime/core.js"))],
      'import "agent-statecharts/compiler"': [file("compiler.mjs", importOf("compiler/index.js"))],
      "agent-statecharts --version": [main, "--version"],
      "agent-statecharts check workflow.json": [main, "check", workflow],
    }
    const cpu = (args) => {
      const { stderr, status } = spawnSync(process.execPath, ["--require", hook, ...args], {
        encoding: "utf8",
      })
      if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`)
      return Number(/\ncpu ([\d.]+)$/.exec(stderr)?.[1])
    }
    const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
    for (let round = 0; round < rounds; round++)
      for (const [name, args] of Object.entries(programs)) times[name].push(cpu(args))
    const bare = median(times.node)
    const scale = Math.max(1, bare / bareMs)
    const rows = Object.entries(limits).map(([name, limit]) => [
      name,
      median(times[name]) - bare,
      limit * scale,
    ])
    printTable(
      `Start-up, ms of CPU above Node (${bare.toFixed(0)} ms)`,
      ["program", "ms", "limit"],
      rows,
    )
    const slow = rows.filter(([, ms, limit]) => ms > limit)
    for (const [name] of slow) console.log(`\n${name} takes longer than its limit`)
    return slow.length === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
