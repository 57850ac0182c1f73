// Compiles and bundles src/ into a few files with source maps, because reading hundreds of files is most of the time of an import.
// Each entry keeps its path next to its types. Modules that several entries use go into shared chunks, so each exists once.
// The main entry loads about sixteen files, because each file of an import takes about 0.3 ms.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { rolldown } from "rolldown"
import { minifySync } from "rolldown/utils"
import { bundleInput } from "./bundle-input.mjs"

const { bin } = JSON.parse(readFileSync("package.json", "utf8"))

/** Returns the modules that a module imports, and those that they import, without dynamic imports. */
function importsOf(file, context) {
  const modules = new Set()
  const queue = [resolve("src", file)]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (modules.has(id)) continue
    modules.add(id)
    queue.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return modules
}

const importsByFile = new Map()

/** Returns whether a source file imports a module, directly or not. */
function isImportedBy(file, id, context) {
  const known = importsByFile.get(file)
  if (known !== undefined) return known.has(id)
  const modules = importsOf(file, context)
  importsByFile.set(file, modules)
  return modules.has(id)
}

const main = "index.ts"
const conditions = "expression/index.ts"
const compiler = "compiler/index.ts"
const runner = "runtime/runner/runner.ts"
const analysis = "analysis/index.ts"
const smallRunner = "runtime/core.ts"
const httpOnNode = "adapters/http/index.ts"
const httpOnFetch = "adapters/http/index-on-fetch.ts"

/** Programs that load little of the main entry. */
const smallPrograms = [
  "cli/command-line.ts",
  "adapters/files/index.ts",
  "adapters/journal/jsonl/index.ts",
  "adapters/journal/postgres/index.ts",
  "adapters/journal/sqlite/index.ts",
  "adapters/model/ai-sdk/index.ts",
  "adapters/memory/postgres/index.ts",
  "adapters/memory/sqlite/index.ts",
  "adapters/model-limits/postgres/index.ts",
  "adapters/response-cache/postgres/index.ts",
  "adapters/response-cache/sqlite/index.ts",
  "adapters/session/postgres/index.ts",
  "adapters/session/sqlite/index.ts",
  "adapters/telemetry/otel/index.ts",
  "adapters/tool/mcp/index.ts",
]

/** A chunk of the modules for which `includes` returns true. */
const chunkOf = (name, includes) => ({
  debugName: name,
  name: (id, context) => (includes((file) => isImportedBy(file, id, context), id) ? name : null),
})

/** The name of the chunk with the packages that are inlined into the compiler. */
const packages = "packages"

const bundle = await rolldown(bundleInput)
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "shared/[name]-[hash].js",
  // Most entries load these modules. Without the group, each of them would be a file of its own.
  codeSplitting: {
    groups: [
      { name: "common", test: /\/src\/(?:errors\.ts|machines\/(?:data|contract)\/)/ },
      chunkOf("base", (isIn) => isIn(main) && smallPrograms.some(isIn)),
      // Small runners have chunks of their own, so that pages do not contain parts of other runners.
      chunkOf("core", (isIn) => isIn(compiler) && isIn(smallRunner)),
      chunkOf("conditions", (isIn) => isIn(main) && isIn(conditions)),
      chunkOf(packages, (isIn, id) => isIn(compiler) && id.includes("/node_modules/")),
      chunkOf("compiler-and-runner", (isIn) => isIn(compiler) && isIn(runner)),
      chunkOf("compiler", (isIn) => isIn(compiler)),
      chunkOf("core-runner", (isIn) => isIn(smallRunner)),
      // The command "check" analyzes charts, but executes no runs.
      chunkOf("analysis-and-runner", (isIn) => isIn(analysis) && isIn(runner)),
      chunkOf("runner", (isIn) => isIn(runner)),
      // Browsers cannot load the modules that only Node needs.
      chunkOf("http", (isIn) => isIn(httpOnNode) && isIn(httpOnFetch)),
    ].map((group, index, all) => ({ ...group, priority: all.length - index })),
  },
  comments: { legal: true, annotation: true, jsdoc: false },
})
await bundle.close()

// The source maps contain the sources of this package, but not those of inlined packages, which
// would be a third of their size. A file that contains only inlined packages has no source map. It is
// minified, because parsing one of these files is a tenth of the time of an import. The code of this
// package stays readable.
for (const { fileName, type } of output) {
  if (type !== "asset" || !fileName.endsWith(".js.map")) continue
  const file = join("dist", fileName)
  const map = JSON.parse(readFileSync(file, "utf8"))
  if (map.sources.every((source) => source.includes("node_modules/"))) {
    const script = file.slice(0, -".map".length)
    const { code, errors } = minifySync(script, readFileSync(script, "utf8"), { module: true })
    if (errors.length > 0) throw errors[0]
    writeFileSync(script, code)
    rmSync(file)
    continue
  }
  const sourcesContent = map.sourcesContent.map((text, index) =>
    map.sources[index].includes("node_modules/") ? null : text,
  )
  writeFileSync(file, JSON.stringify({ ...map, sourcesContent }))
}
for (const command of Object.values(bin)) chmodSync(command, 0o755)
