import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { isForRunOnly, tryVector } from "./play.mjs"

/** Loads all vectors of a folder, sorted by path, or the vector of a file. */
export function loadVectors(from) {
  const names = statSync(from).isDirectory()
    ? readdirSync(from, { recursive: true })
        .filter((name) => name.endsWith(".json"))
        .sort()
    : [""]
  return names.map((name) => JSON.parse(readFileSync(join(from, name), "utf8")))
}

/** Whether a vector measures time. Such a vector runs alone. */
export const isTimed = (vector) =>
  /"(delayMs|gaps|maxElapsedMs|maxConcurrentLlmCalls|\w+Timeout)"/.test(JSON.stringify(vector))

async function main() {
  const options = {
    only: { type: "string", default: "" },
    interpreter: { type: "string", default: "both" },
    verbose: { type: "boolean" },
  }
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const interpreters = ["run", "actor"].filter((name) =>
    [name, "both"].includes(values.interpreter),
  )
  const folders =
    positionals.length > 0 ? positionals : [fileURLToPath(new URL("./vectors", import.meta.url))]
  const vectors = folders
    .flatMap(loadVectors)
    .filter(({ id }) => id.includes(values.only))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const tries = vectors.flatMap((vector) =>
    interpreters
      .filter((name) => name === "run" || !isForRunOnly(vector))
      .map((name) => ({ vector, name })),
  )
  const [untimed, timed] = [false, true].map((is) =>
    tries.filter(({ vector }) => isTimed(vector) === is),
  )
  const work = async (queue) => {
    for (let one; (one = queue.shift());) one.failures = await tryVector(one.vector, one.name)
  }
  await Promise.all([untimed, untimed, untimed, untimed].map(work)).then(() => work(timed))
  report(tries, values.verbose)
}

function report(tries, verbose) {
  const [tally, failed] = [new Map(), new Map()]
  for (const { vector, name, failures } of tries) {
    const line = `${name}  ${vector.theme}`
    tally.set(line, (tally.get(line) ?? 0) + (failures.length === 0 ? 1 : 0))
    if (verbose && failures.length === 0) console.log(`passed  ${vector.id} (${name})`)
    if (failures.length > 0)
      failed.set(vector, [
        ...(failed.get(vector) ?? []),
        ...failures.map((failure) => `    ${name}: ${failure}`),
      ])
  }
  const whyFailed = [...failed].flatMap(([{ id, title }, lines]) => [
    `failed  ${id}: ${title}`,
    ...lines,
  ])
  console.log(
    [...[...tally].sort().map(([line, count]) => `${line}: ${count} passed`), ...whyFailed].join(
      "\n",
    ),
  )
  console.log(
    `${new Set(tries.map(({ vector }) => vector)).size - failed.size} passed, ${failed.size} failed`,
  )
  process.exitCode = failed.size > 0 || tries.length === 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
