import type { EvaluationOptions } from "../../evaluation/cases/evaluation-options.js"
import type { EvaluationCounts } from "../../evaluation/index.js"
import { judgeModelsIn } from "../../evaluation/plan/plan-evaluation.js"
import { progressLine } from "../progress/progress-line.js"
import { openJournal } from "../run/open-journal.js"
import { loadMetrics } from "../services/load-services.js"
import { readTokenPrices } from "../services/read-prices.js"
import type { Terminal } from "../terminal/terminal.js"
import type { EvalOptions } from "./eval-options.js"
import { type EvalFiles, readEvalFiles } from "./read-eval-files.js"

/** The eval sets, options and journal that the command `eval` opens before it runs a case. */
export interface EvaluationInputs extends EvalFiles {
  /** Names of the models that judge responses. */
  readonly judges: readonly string[]
  readonly options: Omit<EvaluationOptions, "services" | "finishedCases">
  close(): Promise<void>
}

/** Reads the eval sets and the files that the options name, and opens the journal. */
export async function openEvaluationInputs(
  paths: readonly string[],
  options: EvalOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<EvaluationInputs> {
  const files = await readEvalFiles(paths, options)
  const { judge, journal: location, services: module } = options
  const prices = options.prices === undefined ? undefined : await readTokenPrices(options.prices)
  const metrics = module === undefined ? {} : await loadMetrics(module)
  const store =
    location === undefined || location === false
      ? null
      : await openJournal({ journal: location }, terminal)
  const progress = progressLine(terminal)
  return {
    ...files,
    judges: typeof judge === "string" ? [judge] : judge === false ? [] : judgeModelsIn(files.sets),
    options: {
      metrics,
      repeat: options.repeat,
      concurrency: options.concurrency,
      strict: options.strict ?? false,
      signal,
      onProgress: (counts) => progress.show(progressText(counts)),
      ...(prices !== undefined && { prices }),
      ...(judge !== undefined && { judge }),
      ...(store !== null && { journal: store.journal }),
    },
    async close() {
      progress.clear()
      await store?.close()
    },
  }
}

function progressText({ cases, done, failed, running, calls }: EvaluationCounts): string {
  const count = calls.models + calls.tools + calls.judge
  return `${done} of ${cases} cases, ${running} running, ${failed} failed, ${count} calls${calls.cost === null ? "" : `, cost ${Number(calls.cost.toPrecision(4))}`}`
}
