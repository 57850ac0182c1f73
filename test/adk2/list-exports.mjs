import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { exportsOf } from "./exports-of.mjs"

/**
 * Downloads the pinned version of @google/adk and writes the names of its public exports to
 * adk-exports.json. The package is not installed, because it has many large dependencies.
 * Usage: npm run docs:adk
 */
const target = fileURLToPath(new URL("./adk-exports.json", import.meta.url))
const { version, integrity } = JSON.parse(readFileSync(target, "utf8"))

const folder = mkdtempSync(join(tmpdir(), "adk-"))
try {
  const pack = ["pack", `@google/adk@${version}`, "--json", "--pack-destination", folder]
  const [packed] = JSON.parse(execFileSync("npm", pack, { encoding: "utf8" }))
  if (integrity !== undefined && packed.integrity !== integrity)
    throw new Error(
      `@google/adk ${version} has the integrity ${packed.integrity}, not ${integrity}`,
    )
  execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", folder])
  const found = exportsOf(join(folder, "package/dist/types/index.d.ts"))
  const exports = Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
  const content = { version, integrity: packed.integrity, exports }
  writeFileSync(target, `${JSON.stringify(content, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
