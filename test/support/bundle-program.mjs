import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url))

/** Runs the bundle with the code cache of an earlier process. The first processes write the cache. */
const starter = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs")
const { Script } = require("node:vm")
const [file, cache] = [__dirname + "/program.cjs", __dirname + "/program.cache"]
const source = "(function (exports, require, module, __filename, __dirname) {" + readFileSync(file, "utf8") + "\\n})"
const isCached = existsSync(cache)
globalThis.importByStarter = (url) => import(url)
const script = new Script(source, { filename: file, ...(isCached && { cachedData: readFileSync(cache) }) })
if (!isCached) {
  const write = () => {
    const written = cache + process.pid
    writeFileSync(written, script.createCachedData())
    renameSync(written, cache)
  }
  // A process that is killed later has loaded its modules by then.
  setTimeout(write, 400).unref()
  process.on("exit", write)
}
script.runInThisContext()(exports, require, module, file, __dirname)
`

/** Code that comes from a code cache cannot import modules, so the starter imports them. */
const dynamicImports = {
  name: "dynamic-imports",
  renderChunk: (code) => code.replaceAll(/(?<![.\w"'`])import\(/g, "globalThis.importByStarter("),
}

/**
 * Bundles a program with its packages into one file with a code cache. Processes of the bundle use half the CPU time,
 * because most of the time of a short process is spent on loading and compiling modules.
 * The program must not use top-level await. `plugins` are of rolldown, `external` packages are loaded from `node_modules/`.
 */
export async function bundleProgram(program, { plugins = [], external = [] } = {}) {
  // Native packages stay outside of the bundle and are found from here.
  const folder = mkdtempSync(join(packages, ".bundle-"))
  const bundle = await rolldown({
    input: program,
    platform: "node",
    external: ["libsql", /^node:/, ...external],
    resolve: { mainFields: ["module", "main"] },
    logLevel: "silent",
    plugins: [...plugins, dynamicImports],
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
  return { start, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
