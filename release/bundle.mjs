// Compiles and bundles src/ into a few files with source maps, because reading hundreds of files is most of the time of an import.
// Each entry keeps its path next to its types. Modules that several entries use go into shared chunks, so each exists once.
import { chmodSync, readFileSync } from "node:fs"
import { rolldown } from "rolldown"

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"))

/** Modules that only the benchmark starts. */
const alsoBuilt = ["server/start-server"]

const filesOf = (target) =>
  typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf)
const entries = [...filesOf(exports), ...Object.values(bin)]
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ""))

const bundle = await rolldown({
  input: Object.fromEntries([...entries, ...alsoBuilt].map((entry) => [entry, `src/${entry}.ts`])),
  platform: "node",
  resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  external: (id) => !/^[./]/.test(id),
})
await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "shared/[name]-[hash].js",
})
await bundle.close()
for (const command of Object.values(bin)) chmodSync(command, 0o755)
