import { createHash } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { isJsonObject } from "../../machines/data/json-object.js"
import { UsageProblem } from "../errors/usage-problem.js"

/**
 * Results of finished tasks, by task name, which a file stores. After an interruption, the command
 * loads these results at its next start instead of repeating the tasks.
 */
export interface FinishedResults<Result> {
  /** Number of results of earlier executions that the file already contained when it was opened. */
  readonly count: number
  load(name: string): Result | null
  save(name: string, result: Result): void
}

/**
 * Opens or creates the file of the option `--resume`. Its first line contains a hash of `about`,
 * the inputs on which all results depend. Each further line contains one result. Throws a usage
 * error if the hash differs.
 */
export function openFinishedResults<Result>(file: string, about: unknown): FinishedResults<Result> {
  const work = createHash("sha256").update(JSON.stringify(about)).digest("hex")
  const results = new Map<string, Result>()
  if (existsSync(file)) readInto(results, file, work)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ work })}\n`)
  }
  return {
    count: results.size,
    load: (name) => results.get(name) ?? null,
    save: (name, result) => appendFileSync(file, `${JSON.stringify({ name, result })}\n`),
  }
}

function readInto<Result>(results: Map<string, Result>, file: string, work: string): void {
  const lines = readFileSync(file, "utf8").split("\n")
  // A killed process may have written only a part of the last line. The task of this line is
  // repeated.
  const complete = lines.slice(0, -1)
  const [head, ...finished] = complete.map((line) => parseLine(line, file))
  if (head?.["work"] !== work)
    throw new UsageProblem(
      `${file} has the results of another command: the workflow, the files or the options differ. Delete it, or pass another file to --resume.`,
    )
  for (const { name, result } of finished)
    // The cast is safe: `save` has written the result.
    if (typeof name === "string") results.set(name, result as Result)
  if (lines.at(-1) !== "") writeFileSync(file, complete.map((line) => `${line}\n`).join(""))
}

function parseLine(line: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // The error below also describes a line that is not JSON.
  }
  throw new UsageProblem(
    `${file} was not written by --resume, so it contains no results to continue. Pass the file of the interrupted command, or a new file.`,
  )
}
