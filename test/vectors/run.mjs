import { execFile } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { playProgram, readProgram } from "../adk2/play-program.mjs"
import { playVector as playEvaluation } from "../evaluation/play-vector.mjs"
import { playVector as playFaultVector } from "../faults/play-vector.mjs"
import { playVector } from "../policies/play-vector.mjs"
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
  evaluation: {
    folder: "../evaluation/vectors",
    isVector: (name, folder) => existsSync(join(folder, name, "expect.json")),
    play: (file) => playEvaluation(file, runCommand),
  },
  policies: {
    folder: "../policies/vectors",
    isVector: (name, folder) => existsSync(join(folder, name, "expect.json")),
    play: (file) => playVector(resolve(file), runCommand),
  },
  faults: {
    folder: "../faults/vectors",
    isVector: (name, folder) => existsSync(join(folder, name, "expect.json")),
    play: (file) => playFaultVector(file, (args, cwd) => runCommand(["faults", ...args], cwd)),
  },
}

const execute = promisify(execFile)

/** Maximum size of the output of a command, in bytes. */
const maxBuffer = 2 ** 26

/** Runs the built command line. A command ends with a code other than 0 if it finds something. */
async function runCommand(args, cwd) {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
  try {
    const output = await execute(process.execPath, [main, ...args], { cwd, maxBuffer })
    return { code: 0, ...output }
  } catch (error) {
    if (typeof error.code !== "number") throw error
    return { code: error.code, stdout: error.stdout, stderr: error.stderr }
  }
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

/** Returns the vectors of a folder. The programs of ADK may be in its sub-folder `programs`. */
function vectorsOf(path, kind) {
  if (!statSync(path).isDirectory() || existsSync(join(path, "expect.json"))) return [path]
  const programs = join(path, "programs")
  const names = readdirSync(path).filter((name) => kind.isVector(name, path))
  return names.length === 0 && existsSync(programs)
    ? vectorsOf(programs, kind)
    : names.sort().map((name) => join(path, name))
}

const relativeName = (file) => file.slice(dirname(file).length + 1)

await main()
