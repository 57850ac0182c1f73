import { readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { playProgram, readProgram } from "../adk2/play-program.mjs"
import { loadProgram } from "./load-program.mjs"

/** The kinds of vectors: what plays one file, and the folder that the project owns. */
const kinds = {
  adk2: {
    folder: "../adk2/programs",
    isVector: (name) => /^\d.*\.ts$/.test(name),
    play: async (file) => {
      const adk = await import("agent-statecharts/adk")
      return playProgram(readProgram(file), () => loadProgram(file), adk)
    },
  },
}

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string", default: "" }, verbose: { type: "boolean" } },
  })
  const [name, ...paths] = positionals
  const kind = Object.hasOwn(kinds, name ?? "") ? kinds[name] : undefined
  if (kind === undefined) {
    console.error(
      `Name a kind of vectors: npm run vectors -- KIND [PATH...]. Kinds: ${Object.keys(kinds).join(", ")}.`,
    )
    process.exitCode = 1
    return
  }
  const own = fileURLToPath(new URL(kind.folder, import.meta.url))
  const files = (paths.length === 0 ? [own] : paths)
    .flatMap((path) => vectorsOf(path, kind))
    .filter((file) => file.includes(values.only))
  let failed = 0
  for (const file of files) {
    const failures = await kind.play(file)
    if (failures.length > 0) failed++
    if (failures.length > 0 || values.verbose)
      console.log(`${failures.length > 0 ? "failed" : "passed"}  ${relativeName(file)}`)
    for (const failure of failures) console.log(`    ${failure}`)
  }
  console.log(`${files.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || files.length === 0 ? 1 : 0
}

const vectorsOf = (path, { isVector }) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter(isVector)
        .sort()
        .map((name) => join(path, name))
    : [path]

const relativeName = (file) => file.slice(dirname(file).length + 1)

await main()
