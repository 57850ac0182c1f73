import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  defaultEvalConfig,
  type EvalConfig,
  parseEvalConfig,
} from "../../evaluation/config/eval-config.js"
import { parseEvalSet } from "../../evaluation/eval-set/read-eval-set.js"
import type { EvalSet, EvaluationProblem } from "../../evaluation/index.js"
import type { ConfiguredSet } from "../../evaluation/plan/plan-evaluation.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { readSource } from "../files/read-source.js"
import type { EvalOptions } from "./eval-options.js"

/**
 * The eval sets that the command line selects, with their configs, and all problems in their files.
 */
export interface EvalFiles {
  readonly sets: readonly ConfiguredSet[]
  readonly problems: readonly EvaluationProblem[]
}

/**
 * Reads the eval sets that the command line selects. Each element of `paths` is a file, a folder,
 * or `FILE:case1,case2`.
 */
export async function readEvalFiles(
  paths: readonly string[],
  { config: configFile, case: selected }: Pick<EvalOptions, "config" | "case">,
): Promise<EvalFiles> {
  const problems: EvaluationProblem[] = []
  const configs = new Map<string, EvalConfig>()
  const configOf = async (setFile: string): Promise<EvalConfig> => {
    const file = configFile ?? join(dirname(setFile), "test_config.json")
    if (configFile === undefined && !existsSync(file)) return defaultEvalConfig()
    const known = configs.get(file)
    if (known !== undefined) return known
    const { config, problems: found } = parseEvalConfig((await readSource(file)).text, file)
    problems.push(...found)
    configs.set(file, config)
    return config
  }
  const sets: ConfiguredSet[] = []
  for (const { file, cases } of paths.flatMap((path) => filesAt(path, problems))) {
    const { set, problems: found } = parseEvalSet((await readSource(file)).text, file)
    problems.push(...found)
    if (set === null) continue
    sets.push({
      set: cases === null ? set : withCases(set, cases, problems),
      config: await configOf(file),
    })
  }
  return { sets: selected.length === 0 ? sets : select(sets, selected, problems), problems }
}

interface EvalFile {
  readonly file: string
  /** Ids of the cases that the command line selects from this file. Null selects all cases. */
  readonly cases: readonly string[] | null
}

function filesAt(path: string, problems: EvaluationProblem[]): readonly EvalFile[] {
  if (existsSync(path) && statSync(path).isDirectory()) {
    const files = evalSetsIn(path)
    if (files.length === 0)
      problems.push({
        code: "nothing_to_evaluate",
        message: "the folder contains no eval set",
        file: path,
        fix: "Pass a folder with files named *.test.json or *.evalset.json.",
      })
    return files.map((file) => ({ file, cases: null }))
  }
  const colon = path.lastIndexOf(":")
  if (!existsSync(path) && colon > 0 && existsSync(path.slice(0, colon)))
    return [{ file: path.slice(0, colon), cases: path.slice(colon + 1).split(",") }]
  return [{ file: path, cases: null }]
}

const evalSetsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(test|evalset)\.json$/.test(name))
    .sort()
    .map((name) => join(folder, name))

function withCases(set: EvalSet, ids: readonly string[], problems: EvaluationProblem[]): EvalSet {
  for (const id of ids)
    if (!set.cases.some(({ evalId }) => evalId === id)) problems.push(noCase(id, set.file))
  return { ...set, cases: set.cases.filter(({ evalId }) => ids.includes(evalId)) }
}

/**
 * Returns the eval sets with only the cases that the option `--case` selects. Eval sets without a
 * selected case are omitted.
 */
function select(
  sets: readonly ConfiguredSet[],
  ids: readonly string[],
  problems: EvaluationProblem[],
): readonly ConfiguredSet[] {
  const known = new Set(sets.flatMap(({ set }) => set.cases.map(({ evalId }) => evalId)))
  for (const id of ids)
    if (!known.has(id)) problems.push(noCase(id, sets.map(({ set }) => set.file).join(", ")))
  return sets.flatMap(({ set, config }) => {
    const cases = set.cases.filter(({ evalId }) => ids.includes(evalId))
    return cases.length === 0 ? [] : [{ set: { ...set, cases }, config }]
  })
}

const noCase = (id: string, file: string): EvaluationProblem => ({
  code: "nothing_to_evaluate",
  message: `there is no case ${JSON.stringify(id)}`,
  file,
  fix: "Pass the eval_id of a case.",
})

/** Throws a usage error if the command line contains no eval set. */
export function requireEvalSets(paths: readonly string[]): void {
  if (paths.length > 0) return
  throw new UsageProblem(
    "eval needs an eval set. Pass a file or a folder with *.test.json or *.evalset.json files.",
  )
}
