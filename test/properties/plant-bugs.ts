import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"

/** One piece of text that occurs once in a source file, and its replacement. */
export interface Patch {
  /** Relative to `src/`. */
  readonly file: string
  readonly find: string
  readonly put: string
}

const src = join(import.meta.dirname, "../../src")

/** Returns the source file of a patch with the replacement in it. */
export function patchedSource({ file, find, put }: Patch): string {
  const source = readFileSync(join(src, file), "utf8")
  const count = source.split(find).length - 1
  if (count !== 1) throw new Error(`src/${file} contains this text ${count} times: ${find}`)
  return source.replace(find, () => put)
}

/** Returns the names of the values that a file declares and exports. */
const exportedNames = (source: string): readonly string[] =>
  [...source.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(
    ([, name = ""]) => name,
  )

/**
 * Bundles the original of every patched file, and one version for each of its patches. The environment variable `PLANTED_BUG`
 * selects a patch by its index when the program starts, so one bundle is enough for all patches.
 */
export function plantBugs(patches: readonly Patch[]): Plugin {
  const left = new Set(patches.map(({ file }) => file))
  return {
    name: "plant-bugs",
    resolveId: (id) => (/\?(?:original|bug=\d+)$/.test(id) ? id : null),
    load(id) {
      const [path = "", version] = id.split("?")
      if (version !== undefined) {
        const patch = patches[Number(version.replace("bug=", ""))]
        const code = patch === undefined ? readFileSync(path, "utf8") : patchedSource(patch)
        return { code, moduleType: "ts" }
      }
      const file = path.startsWith(`${src}/`) ? path.slice(src.length + 1) : ""
      const bugs = [...patches.keys()].filter((index) => patches[index]?.file === file)
      if (bugs.length === 0) return null
      left.delete(file)
      const versions = ["original", ...bugs.map((index) => `bug=${index}`)]
      const names = exportedNames(readFileSync(path, "utf8"))
      return [
        ...versions.map(
          (name, at) => `import * as v${at} from ${JSON.stringify(`${path}?${name}`)}`,
        ),
        `const versions = { ${bugs.map((bug, at) => `${bug}: v${at + 1}`).join(", ")} }`,
        `const { ${names.join(", ")} } = versions[process.env.PLANTED_BUG] ?? v0`,
        `export { ${names.join(", ")} }`,
      ].join("\n")
    },
    buildEnd() {
      if (left.size > 0) throw new Error(`the program does not use ${[...left].join(" or ")}`)
    },
  }
}
