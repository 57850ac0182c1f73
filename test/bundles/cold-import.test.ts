import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)
const folder = fileURLToPath(new URL("../../", import.meta.url))

/** Imports an entry of the built package in a process of its own. */
async function importCold(
  entry: string,
): Promise<{ readonly milliseconds: number; readonly rxjs: number }> {
  const code = `
    import { createRequire } from "node:module"
    const before = process.cpuUsage()
    await import(${JSON.stringify(entry)})
    const { user, system } = process.cpuUsage(before)
    const rxjs = Object.keys(createRequire("${folder}").cache).filter((file) => file.includes("node_modules/rxjs/")).length
    console.log(JSON.stringify({ milliseconds: Math.round((user + system) / 1000), rxjs }))`
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: folder,
  })
  return JSON.parse(stdout) as { readonly milliseconds: number; readonly rxjs: number }
}

test("importing the runtime loads of RxJS what an Observable needs, not its operators", async () => {
  const all = []
  for (let time = 0; time < 5; time++) all.push(await importCold("agent-statecharts/runtime"))
  const times = all.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  console.log(
    `importing agent-statecharts/runtime: ${times[2]} ms of CPU (median of 5; ${times.join(", ")})`,
  )
  expect(all[0]?.rxjs).toBeGreaterThan(0)
  expect(all[0]?.rxjs).toBeLessThan(40)
})
