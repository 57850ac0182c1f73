import type { CaseResult, EvaluatedCase, FinishedCases } from "../../evaluation/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { fingerprintWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { openFinishedResults } from "../files/finished-results.js"
import type { Terminal } from "../terminal/terminal.js"
import type { EvalOptions } from "./eval-options.js"
import type { EvalFiles } from "./read-eval-files.js"

/**
 * Opens the file of the option `--resume` and prints how many finished cases it contains. The file
 * is only valid for the charts, eval sets and options with which it was created. Returns undefined
 * if the option is not set.
 */
export function openFinishedCases<Result = CaseResult>(
  charts: readonly AgentChart[],
  sets: EvalFiles["sets"],
  options: EvalOptions,
  terminal: Terminal,
): FinishedCases<Result> | undefined {
  const { resume: file } = options
  if (file === undefined) return undefined
  const results = openFinishedResults<EvaluatedCase<Result>>(
    file,
    resultInputs(charts, sets, options),
  )
  if (results.count > 0)
    terminal.printError(
      `${results.count} cases were finished before. Their results are read from ${file}.`,
    )
  return {
    load: (set, evalId) => results.load(nameOf(set, evalId)),
    save: (set, evalId, result) => results.save(nameOf(set, evalId), result),
  }
}

/**
 * Returns all inputs that influence the results of eval cases. The file of `--resume` stores a hash
 * of these inputs. A different hash shows that the file belongs to another evaluation.
 */
const resultInputs = (
  charts: readonly AgentChart[],
  sets: EvalFiles["sets"],
  options: EvalOptions,
): unknown => {
  const { repeat, judge, strict, scripted, scriptedWith, services, openai, prices, cassette } =
    options
  return {
    charts: charts.map(fingerprintWithCalls),
    sets,
    options: {
      repeat,
      judge,
      strict,
      scripted,
      scriptedWith,
      services,
      openai,
      prices,
      cassette,
    },
  }
}

const nameOf = (set: string, evalId: string): string => JSON.stringify([set, evalId])
