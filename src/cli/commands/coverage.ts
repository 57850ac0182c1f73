import { existsSync } from "node:fs"
import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import type { CoverageCollector } from "../../runtime/index.js"
import { coverageLines, lowestPercent } from "../format/format-coverage.js"
import { chartsOfRuns } from "../../machines/workflow-agent/called-charts.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { openJournal } from "../run/open-journal.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { safeJson } from "../terminal/untrusted-text.js"

interface CoverageOptions extends WorkflowOptions {
  readonly missing?: boolean
  readonly json?: boolean
  readonly min?: number
}

const manual = `
The command replays the stored runs with the chart and makes no calls. Runs of another chart are ignored. States and transitions
that only limits, stops and pauses can reach are counted separately.

Exit codes:
  0 reported, 1 below --min, 2 invalid config or usage

Examples:
  agent-statecharts coverage workflow.json
  agent-statecharts coverage workflow.json test-runs --missing
  agent-statecharts coverage workflow.json nightly.sqlite --min 90`

export function addCoverage(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("coverage")))
    .description("report which states and transitions of a workflow its runs have reached")
    .argument("<file>", "a workflow config or a compiled chart")
    .argument(
      "[journal...]",
      "where the runs are stored: folders or SQLite files (default: .agent-statecharts/runs)",
    )
    .option("--missing", "also list states and transitions that were not reached")
    .option("--json", "print JSON")
    .option(
      "--min <percent>",
      "exit with code 1 if the state or transition coverage is below this percentage",
      percent,
    )
    .addHelpText("after", manual)
    .action(async (file: string, journals: readonly string[], options: CoverageOptions) =>
      exit(await cover(file, journals, options, terminal)),
    )
}

function percent(text: string): number {
  const number = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : 101
  if (number > 100) throw new InvalidArgumentError("The value must be a number from 0 to 100.")
  return number
}

async function cover(
  file: string,
  journals: readonly string[],
  options: CoverageOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const missing = journals.find((location) => !existsSync(location))
  if (missing !== undefined)
    throw new UsageProblem(
      `the journal ${missing} does not exist. Pass the folder or SQLite file that the runs were stored in with --journal.`,
    )
  const chart = await loadChart(file, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  const { collectCoverageOfCharts } = await import("../test-plan/coverage-of-charts.js")
  const collector = collectCoverageOfCharts(chartsOfRuns(chart))
  const others: string[] = []
  for (const location of journals.length === 0 ? [undefined] : journals)
    others.push(...(await addAll(collector, location, terminal)))
  const coverage = collector.coverage()
  if (options.json === true)
    terminal.print(
      safeJson({ chart: chart.id, fingerprint: chart.fingerprint, ...coverage, others }, 2),
    )
  else
    for (const line of coverageLines(
      chart.id,
      coverage,
      others,
      options.missing === true,
      terminal,
    ))
      terminal.print(line)
  return lowestPercent(coverage) < (options.min ?? 0) ? exitCodes.failed : exitCodes.ok
}

/**
 * Replays all runs of a journal, one at a time, and adds the states and transitions that they reach
 * to `collector`. Returns the ids of the skipped runs, which belong to other charts.
 */
async function addAll(
  collector: CoverageCollector,
  location: string | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const store = await openJournal(location === undefined ? {} : { journal: location }, terminal)
  const others: string[] = []
  try {
    for (const { runId } of await store.journal.list()) {
      const stored = await store.journal.load(runId)
      if (stored !== null && !collector.add(stored)) others.push(runId)
    }
  } finally {
    await store.close()
  }
  return others
}
