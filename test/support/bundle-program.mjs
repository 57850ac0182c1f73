import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url))

/** Runs the bundle with the code cache of an earlier process. The first process that exits by itself writes the cache. */
const starter = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs")
const { Script } = require("node:vm")
const [file, cache] = [__dirname + "/program.cjs", __dirname + "/program.cache"]
const source = "(function (exports, require, module, __filename, __dirname) {" + readFileSync(file, "utf8") + "\\n})"
const isCached = existsSync(cache)
const script = new Script(source, { filename: file, ...(isCached && { cachedData: readFileSync(cache) }) })
if (!isCached)
  process.on("exit", () => {
    const written = cache + process.pid
    writeFileSync(written, script.createCachedData())
    renameSync(written, cache)
  })
script.runInThisContext()(exports, require, module, file, __dirname)
`

/**
 * Bundles a program with its packages into one file with a code cache. Processes of the bundle use half the CPU time,
 * because most of the time of a short process is spent on loading and compiling modules.
 * The program must not use top-level await. If its processes never exit by themselves, `warmUp` are arguments with which
 * the program exits, so that it writes the code cache.
 */
export async function bundleProgram(program, { warmUp = null, external = [] } = {}) {
  // Native packages stay outside of the bundle and are found from here.
  const folder = mkdtempSync(join(packages, ".bundle-"))
  const bundle = await rolldown({
    input: program,
    platform: "node",
    external: ["libsql", /^node:/, ...external],
    resolve: { mainFields: ["module", "main"] },
    logLevel: "silent",
  })
  await bundle.write({
    dir: folder,
    format: "cjs",
    entryFileNames: "program.cjs",
    codeSplitting: false,
  })
  await bundle.close()
  const start = join(folder, "start.cjs")
  writeFileSync(start, starter)
  if (warmUp !== null) spawnSync(process.execPath, [start, ...warmUp], { stdio: "ignore" })
  return { start, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
