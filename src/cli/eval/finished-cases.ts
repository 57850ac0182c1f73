import { createHash } from "node:crypto"
import { existsSync, readFileSync, appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { EvaluatedCase, FinishedCases } from "../../evaluation/index.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** The results of finished cases in a file. */
export interface FinishedCasesFile extends FinishedCases {
  /** Number of cases that an earlier evaluation finished. */
  readonly count: number
}

/**
 * Opens the file of `--resume`. Its first line identifies the evaluation, and each further line has
 * the result of a finished case. `about` is everything that the results depend on.
 */
export function openFinishedCases(file: string, about: unknown): FinishedCasesFile {
  const key = createHash("sha256").update(JSON.stringify(about)).digest("hex")
  const results = new Map<string, EvaluatedCase>()
  if (existsSync(file)) readInto(results, file, key)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ evaluation: key })}\n`)
  }
  return {
    count: results.size,
    load: (set, evalId) => results.get(nameOf(set, evalId)) ?? null,
    save: (set, evalId, result) =>
      appendFileSync(file, `${JSON.stringify({ case: nameOf(set, evalId), result })}\n`),
  }
}

const nameOf = (set: string, evalId: string): string => JSON.stringify([set, evalId])

function readInto(results: Map<string, EvaluatedCase>, file: string, key: string): void {
  const lines = readFileSync(file, "utf8").split("\n")
  // A killed process may have written a part of the last line. Its case is evaluated again.
  const complete = lines.slice(0, -1)
  const [head, ...cases] = complete.map((line) => parseLine(line, file))
  if (head?.["evaluation"] !== key)
    throw new UsageProblem(
      `${file} belongs to another evaluation: the workflow, the files or the options differ. Delete it, or pass another file to --resume.`,
    )
  for (const { case: name, result } of cases)
    // `save` has written the result.
    if (typeof name === "string") results.set(name, result as EvaluatedCase)
  if (lines.at(-1) !== "") writeFileSync(file, complete.map((line) => `${line}\n`).join(""))
}

function parseLine(line: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // The problem below describes the file.
  }
  throw new UsageProblem(`${file} is not a file of --resume. Pass another file.`)
}
