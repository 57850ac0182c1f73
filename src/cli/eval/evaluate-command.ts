import { evaluateSets, EvaluationInvalidError } from "../../evaluation/evaluate.js"
import type { EvaluationCounts, EvaluationReport } from "../../evaluation/index.js"
import { judgeModelsIn } from "../../evaluation/plan/plan-evaluation.js"
import { invalidReport } from "../../evaluation/report/build-report.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodes } from "../errors/exit-codes.js"
import { progressLine } from "../progress/progress-line.js"
import { openJournal } from "../run/open-journal.js"
import { onInterrupt } from "../run/interrupts.js"
import { loadMetrics } from "../services/load-services.js"
import { readTokenPrices } from "../services/read-prices.js"
import type { Terminal } from "../terminal/terminal.js"
import { loadChart } from "../workflow/load-chart.js"
import type { EvalOptions } from "./eval-options.js"
import { openEvalServices } from "./eval-services.js"
import { openFinishedCases } from "./finished-cases.js"
import { readEvalFiles, requireEvalSets } from "./read-eval-files.js"
import { checkOutputs, writeReports } from "./write-reports.js"

/** Runs the cases of eval sets and writes the reports. */
export async function evaluateCommand(
  agent: string,
  places: readonly string[],
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  requireEvalSets(places)
  checkOutputs(options)
  const chart = await loadChart(agent, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  const interrupt = new AbortController()
  const release = onInterrupt(() => interrupt.abort())
  try {
    const report = await evaluateFiles(chart, places, options, interrupt.signal, terminal)
    await writeReports(report, options, terminal)
    return interrupt.signal.aborted ? exitCodes.cancelled : report.exitCode
  } finally {
    release()
  }
}

async function evaluateFiles(
  chart: AgentChart,
  places: readonly string[],
  options: EvalOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<EvaluationReport> {
  const { sets, problems } = await readEvalFiles(places, options)
  const { judge, journal: place, services: module } = options
  const prices = options.prices === undefined ? undefined : await readTokenPrices(options.prices)
  const metrics = module === undefined ? {} : await loadMetrics(module)
  const judges = typeof judge === "string" ? [judge] : judge === false ? [] : judgeModelsIn(sets)
  const finishedCases =
    options.resume === undefined
      ? undefined
      : openFinishedCases(options.resume, resultInputs(chart, sets, options))
  if (finishedCases !== undefined && finishedCases.count > 0)
    terminal.printError(
      `${finishedCases.count} cases were finished before. Their results are read from ${options.resume}.`,
    )
  const services = await openEvalServices(chart, options, judges)
  const store =
    place === undefined || place === false ? null : await openJournal({ journal: place }, terminal)
  const progress = progressLine(terminal)
  try {
    return await evaluateSets(
      chart,
      sets,
      {
        services: services.services,
        metrics,
        repeat: options.repeat,
        concurrency: options.concurrency,
        strict: options.strict ?? false,
        signal,
        onProgress: (counts) => progress.show(progressText(counts)),
        ...(prices === undefined ? {} : { prices }),
        ...(judge === undefined ? {} : { judge }),
        ...(store === null ? {} : { journal: store.journal }),
        ...(finishedCases === undefined ? {} : { finishedCases }),
      },
      problems,
    )
  } catch (error) {
    if (!(error instanceof EvaluationInvalidError)) throw error
    return invalidReport(chart, error.problems, options.repeat)
  } finally {
    progress.clear()
    store?.close()
    await services.close()
  }
}

/** Returns everything that the results of cases depend on. */
const resultInputs = (
  chart: AgentChart,
  sets: Awaited<ReturnType<typeof readEvalFiles>>["sets"],
  { repeat, judge, strict, scripted, services, openai, prices, cassette }: EvalOptions,
): unknown => ({
  chart: chart.fingerprint,
  sets,
  options: { repeat, judge, strict, scripted, services, openai, prices, cassette },
})

function progressText({ cases, done, failed, running, calls }: EvaluationCounts): string {
  const count = calls.models + calls.tools + calls.judge
  return `${done} of ${cases} cases, ${running} running, ${failed} failed, ${count} calls${calls.cost === null ? "" : `, cost ${Number(calls.cost.toPrecision(4))}`}`
}
