// Puts the modules that tsc has built together, so that a program reads a few files and not hundreds: that is most of what an import takes. What is
// exported stays where it is, beside its types; what several entries need goes into files that they share, so that there is one of everything.
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { rolldown } from "rolldown"
import { plainObjects } from "./plain-objects.mjs"

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"))

/** What the benchmark starts and nobody imports. */
const alsoBuilt = ["server/start-server"]

/** Where what a branch of a parallel block lives on is made: what it knows, what it asks, what it tells. */
const branchModules = [
  ...[
    "fan",
    "instructions",
    "llm-agent",
    "llm-agent-context",
    "model-answer",
    "model-call-input",
    "session-state",
  ].map((name) => `machines/${name}`),
  ...["driver", "driver-step", "journal", "host/attempt", "host/start-call"].map(
    (name) => `runtime/${name}`,
  ),
]

const filesOf = (target) =>
  typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf)
const entries = [...filesOf(exports), ...Object.values(bin)]
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ""))

const bundle = await rolldown({
  input: Object.fromEntries([...entries, ...alsoBuilt].map((entry) => [entry, `dist/${entry}.js`])),
  platform: "node",
  external: (id) => !/^[./]/.test(id),
  plugins: [plainObjects(branchModules)],
})
const folder = "dist-bundled"
await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "shared/[name]-[hash].js",
})
await bundle.close()

for (const file of readdirSync("dist", { recursive: true }))
  if (file.endsWith(".js")) rmSync(`dist/${file}`)
cpSync(folder, "dist", { recursive: true })
rmSync(folder, { recursive: true })
for (const command of Object.values(bin)) chmodSync(command, 0o755)
