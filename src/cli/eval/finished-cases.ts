import type { EvaluatedCase, FinishedCases } from "../../evaluation/index.js"
import { openFinishedResults } from "../files/finished-results.js"

/** The results of finished cases in a file. */
export interface FinishedCasesFile extends FinishedCases {
  /** Number of cases that an earlier evaluation finished. */
  readonly count: number
}

/** Opens the file of `--resume`. `about` is everything that the results depend on. */
export function openFinishedCases(file: string, about: unknown): FinishedCasesFile {
  const results = openFinishedResults<EvaluatedCase>(file, about)
  return {
    count: results.count,
    load: (set, evalId) => results.load(nameOf(set, evalId)),
    save: (set, evalId, result) => results.save(nameOf(set, evalId), result),
  }
}

const nameOf = (set: string, evalId: string): string => JSON.stringify([set, evalId])
