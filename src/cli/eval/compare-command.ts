import { EvaluationInvalidError } from "../../evaluation/evaluate.js"
import { compareSets, invalidComparison } from "../../evaluation/compare/compare-evaluations.js"
import type { ComparedCase, ComparisonReport } from "../../evaluation/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import { loadChart } from "../workflow/load-chart.js"
import type { EvalOptions } from "./eval-options.js"
import type { EvalServices } from "./eval-services.js"
import { openEvalServices } from "./eval-services.js"
import { openEvaluationInputs } from "./evaluation-inputs.js"
import { openFinishedCases } from "./finished-cases.js"
import { requireEvalSets } from "./read-eval-files.js"
import { checkOutputs, writeReports } from "./write-reports.js"

/**
 * Executes the command `eval` with two workflows. Runs all test cases with both workflows and
 * writes a comparison of the results.
 */
export async function compareCommand(
  agent: string,
  edited: string,
  paths: readonly string[],
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  requireEvalSets(paths)
  checkOutputs(options)
  const [chartA, chartB] = [
    await loadChart(agent, options, terminal, true),
    await loadChart(edited, options, terminal, true),
  ]
  if (chartA === null || chartB === null) return exitCodes.invalid
  const interrupt = new AbortController()
  const release = terminal.onInterrupt(() => interrupt.abort())
  try {
    const { signal } = interrupt
    const report = await compareFiles([chartA, chartB], paths, options, signal, terminal)
    await writeReports(report, options, terminal)
    return signal.aborted ? exitCodes.cancelled : report.exitCode
  } finally {
    release()
  }
}

async function compareFiles(
  [chartA, chartB]: readonly [AgentChart, AgentChart],
  paths: readonly string[],
  options: EvalOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<ComparisonReport> {
  const inputs = await openEvaluationInputs(paths, options, signal, terminal)
  const opened: EvalServices[] = []
  try {
    const finishedCases = openFinishedCases<ComparedCase>(
      [chartA, chartB],
      inputs.sets,
      options,
      terminal,
    )
    const a = await openEvalServices(chartA, options, inputs.judges)
    opened.push(a)
    const b = await openEvalServices(chartB, optionsOfB(options), inputs.judges)
    opened.push(b)
    return await compareSets(
      chartA,
      chartB,
      inputs.sets,
      {
        ...inputs.options,
        services: a.services,
        servicesB: b.services,
        ...(finishedCases !== undefined && { finishedCases }),
      },
      inputs.problems,
    )
  } catch (error) {
    if (!(error instanceof EvaluationInvalidError)) throw error
    return invalidComparison([chartA, chartB], error.problems, options.repeat)
  } finally {
    await inputs.close()
    for (const { close } of opened) await close()
  }
}

/**
 * Returns the service options for the second workflow of a comparison. The cassette contains only
 * answers for the first workflow. The second workflow uses the cassette only if no other service is
 * selected.
 */
function optionsOfB({
  scriptedWith,
  cassette,
  record: _record,
  ...options
}: EvalOptions): EvalOptions {
  const own = scriptedWith === undefined ? options : { ...options, scripted: scriptedWith }
  const hasServices = [own.scripted, own.services, own.openai].some((one) => one !== undefined)
  return cassette === undefined || hasServices ? own : { ...own, cassette }
}
