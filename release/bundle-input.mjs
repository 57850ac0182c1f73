import { readFileSync } from "node:fs"

/**
 * Dependencies that the build copies into dist/. One file loads several times faster than the many
 * files of a package, and users install fewer packages. These packages are not inlined: packages
 * whose objects users exchange with this one (xstate, undici), CommonJS packages that need Node's
 * `require` (commander, ws), packages without a licence text (@cfworker/json-schema), native code
 * (libsql), and peer dependencies. Of `rxjs`, only the class Observable is inlined, because the
 * operators of any copy of RxJS accept an Observable of another copy. Users install `rxjs` for its
 * types.
 */
const inlinedPackages = [
  "@clack/prompts",
  "@hono/node-server",
  "@noble/hashes",
  "croner",
  "eventsource-parser",
  "fast-string-width",
  "hono",
  "jsonata",
  "jsonc-parser",
  "ms",
  "rxjs",
  "yaml",
  "zod",
]

const { exports, bin } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
)

/** Modules that only the benchmark starts. */
const alsoBuilt = ["server/start-server"]

/** Returns the files of a target in `exports`, under all of its conditions. */
export const filesOf = (target) =>
  typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf)

const entries = [...filesOf(exports), ...Object.values(bin)]
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ""))

/** Returns the package of an import such as `@noble/hashes/sha2.js`. */
const packageOf = (id) =>
  id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/")

/** Returns whether an import stays an import in dist/. */
const isExternal = (id, importer = "") =>
  !/^[./]/.test(id) &&
  !inlinedPackages.includes(packageOf(id)) &&
  (id.startsWith("node:") || !importer.includes("/node_modules/"))

const lazyModule = "\0lazy-jsonata"

/**
 * Evaluates JSONata when the first template is parsed. Otherwise each import of the compiler would
 * take 5 ms more.
 */
const lazyJsonata = {
  name: "lazy-jsonata",
  resolveId: (id, importer) => (id === "jsonata" && importer !== lazyModule ? lazyModule : null),
  load: (id) =>
    id === lazyModule ? 'export default (...args) => require("jsonata")(...args)' : null,
}

/** What rolldown reads. `bundle.mjs` writes the result, and a test lists the inlined packages. */
export const bundleInput = {
  input: Object.fromEntries([...entries, ...alsoBuilt].map((entry) => [entry, `src/${entry}.ts`])),
  // The entries for browsers share files with those for Node, so nothing may need Node's `require`.
  platform: "neutral",
  resolve: {
    extensionAlias: { ".js": [".ts", ".tsx", ".js"] },
    mainFields: ["module", "main"],
    // RxJS has its modules without helpers under this condition.
    conditionNames: ["import", "es2015", "default"],
  },
  external: isExternal,
  plugins: [lazyJsonata],
}
