// Compiles and bundles src/ into a few files with source maps, because reading hundreds of files is most of the time of an import.
// Each entry keeps its path next to its types. Modules that several entries use go into shared chunks, so each exists once.
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { bundleInput } from "./bundle-input.mjs"

const { bin } = JSON.parse(readFileSync("package.json", "utf8"))

const bundle = await rolldown(bundleInput)
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "shared/[name]-[hash].js",
  // Most entries load these modules. Without the group, each of them would be a file of its own.
  codeSplitting: {
    groups: [{ name: "common", test: /\/src\/(?:errors\.ts|machines\/(?:data|contract)\/)/ }],
  },
  comments: { legal: true, annotation: true, jsdoc: false },
})
await bundle.close()

// The source maps contain the sources of this package, but not those of inlined packages, which
// would be a third of their size.
for (const { fileName, type } of output) {
  if (type !== "asset" || !fileName.endsWith(".js.map")) continue
  const file = join("dist", fileName)
  const map = JSON.parse(readFileSync(file, "utf8"))
  const sourcesContent = map.sourcesContent.map((text, index) =>
    map.sources[index].includes("node_modules/") ? null : text,
  )
  writeFileSync(file, JSON.stringify({ ...map, sourcesContent }))
}
for (const command of Object.values(bin)) chmodSync(command, 0o755)
