import { evaluateSets, EvaluationInvalidError } from "../../evaluation/evaluate.js"
import { compareWithBaseline } from "../../evaluation/compare/compare-baseline.js"
import type { EvaluationReport } from "../../evaluation/index.js"
import { invalidReport } from "../../evaluation/report/build-report.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import { loadChart } from "../workflow/load-chart.js"
import type { EvalOptions } from "./eval-options.js"
import { openEvalServices } from "./eval-services.js"
import { openEvaluationInputs } from "./evaluation-inputs.js"
import { openFinishedCases } from "./finished-cases.js"
import { readBaseline } from "./read-baseline.js"
import { requireEvalSets } from "./read-eval-files.js"
import { checkOutputs, writeReports } from "./write-reports.js"

/**
 * Executes the command `eval` with one workflow. Runs the cases of the eval sets, scores them and
 * writes the reports.
 */
export async function evaluateCommand(
  agent: string,
  paths: readonly string[],
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  requireEvalSets(paths)
  checkOutputs(options)
  const chart = await loadChart(agent, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  const interrupt = new AbortController()
  const release = terminal.onInterrupt(() => interrupt.abort())
  try {
    const evaluated = await evaluateFiles(chart, paths, options, interrupt.signal, terminal)
    const report =
      options.baseline === undefined
        ? evaluated
        : compareWithBaseline(await readBaseline(options.baseline), evaluated)
    await writeReports(report, options, terminal)
    return interrupt.signal.aborted ? exitCodes.cancelled : report.exitCode
  } finally {
    release()
  }
}

async function evaluateFiles(
  chart: AgentChart,
  paths: readonly string[],
  options: EvalOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<EvaluationReport> {
  const inputs = await openEvaluationInputs(paths, options, signal, terminal)
  const { sets, problems, judges } = inputs
  try {
    const finishedCases = openFinishedCases([chart], sets, options, terminal)
    const services = await openEvalServices(chart, options, judges)
    try {
      return await evaluateSets(
        chart,
        sets,
        {
          ...inputs.options,
          services: services.services,
          ...(finishedCases !== undefined && { finishedCases }),
        },
        problems,
      )
    } finally {
      await services.close()
    }
  } catch (error) {
    if (!(error instanceof EvaluationInvalidError)) throw error
    return invalidReport(chart, error.problems, options.repeat)
  } finally {
    await inputs.close()
  }
}
