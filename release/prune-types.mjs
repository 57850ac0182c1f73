// Deletes the type declarations in dist/ that no entry of the package imports. Most declarations describe internal modules, and
// the bundle contains those modules without their types.
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { filesOf } from "./bundle-input.mjs"

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))

const reached = new Set(
  filesOf(exports)
    .filter((file) => /\.(d\.ts|js)$/.test(file))
    .map((file) => join(file.replace(/\.js$/, ".d.ts"))),
)
// A set also iterates over the files that are added during the loop.
for (const file of reached)
  for (const [, target] of readFileSync(file, "utf8").matchAll(
    /(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]+)"/g,
  ))
    reached.add(join(dirname(file), target).replace(/\.js$/, ".d.ts"))

for (const name of readdirSync("dist", { recursive: true })) {
  const file = join("dist", name)
  if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file)
}
