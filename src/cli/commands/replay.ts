import type { Command } from "commander"
import { Option } from "commander"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { resumeCommand } from "../format/follow-up-commands.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeResult } from "../files/write-result.js"
import { journalOption, withJournal, withServiceOptions } from "../options/run-options.js"
import { parseWholeNumber } from "../options/whole-number.js"
import type { ReplayRunsOptions } from "../replay/replay-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { withWorkflowOptions } from "../options/workflow-options.js"
import { escapedJson, safeText, shellWord } from "../terminal/untrusted-text.js"

interface ReplayOptions extends Partial<ReplayRunsOptions> {
  readonly config?: string
  readonly adopt?: boolean
  readonly runId?: string
}

const manual = `
With <run> and --config, the command runs the config with the recorded responses of the run, matched by agent path and call number. It
makes no calls. With --adopt, it stores the result as a new run, if every recorded response was used.

With --with, the command executes the recorded runs of a journal with another workflow. A call with the same request receives its recorded
response, and human answers are reused. Models and tools are only called after the first difference. With --offline, they are never called.
The journal does not change.

Exit codes:
  0 no difference, or adopted, 1 different, 2 invalid config or usage, or an unused response prevents --adopt, 130 interrupted

Examples:
  agent-statecharts replay order-7 --config workflow.json
  agent-statecharts replay order-7 --config workflow.json --adopt --run-id order-7-new
  agent-statecharts replay --journal runs.sqlite --last 200 --with edited.json --offline
  agent-statecharts replay --last 50 --with edited.json --services services.mjs --resume replay.jsonl --markdown replay.md`

export function addReplay(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServiceOptions(withWorkflowOptions(withJournal(program.command("replay"))))
    .description("execute recorded runs with another config and report the differences")
    .argument("[run]", "with --config: id of the run, or its first characters")
    .option("--config <file>", "a workflow config or a compiled chart for <run>")
    .option("--adopt", "store the run with this config as a new run")
    .option("--run-id <id>", "id of the new run (default: a random id)")
    .option("--with <file>", "a workflow config or a compiled chart for many runs")
    .option("--last <n>", "only the last runs of the workflow (default: all)", parseWholeNumber)
    .option("--run <id...>", "only these runs")
    .addOption(
      new Option(
        "--status <status...>",
        "only runs with one of these statuses (default: completed, failed, limit, waiting)",
      ).choices(["completed", "failed", "limit", "waiting", "cancelled", "running"]),
    )
    .option("--offline", "make no call of a model or tool; runs that need one are unknown")
    .option("--concurrency <n>", "number of runs at the same time", parseWholeNumber, 4)
    .option("--resume <file>", "store the result of each run, and skip runs that have a result")
    .option("--json [file]", "print JSON, or write it to a file")
    .option("--markdown <file>", "write the report as Markdown; - prints it")
    .addHelpText("after", manual)
    .action(async (run: string | undefined, options: ReplayOptions, command: Command) => {
      const given = Object.keys(options).filter(
        (name) => command.getOptionValueSource(name) === "cli",
      )
      exit(await replayOneOrMany(run, options, given, terminal))
    })
}

/** Options of the form `replay RUN --config FILE`. They cannot be combined with `--with`. */
const onlyWithConfig = ["config", "adopt", "runId"]
const onlyWithWith = [
  "with",
  "last",
  "run",
  "status",
  "offline",
  "concurrency",
  "resume",
  "markdown",
  "services",
  "scripted",
  "openai",
  "secrets",
  "prices",
  "maxResponseBytes",
  "allowTemplateHosts",
  "allowHost",
  "allowPrivateAddresses",
]

async function replayOneOrMany(
  run: string | undefined,
  options: ReplayOptions,
  given: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { with: edited, config, json, markdown, concurrency = 4 } = options
  if (edited === undefined) {
    refuse(given, onlyWithWith, "--with FILE")
    if (run === undefined || config === undefined)
      throw new UsageProblem(
        "replay needs a run and --config FILE for one run, or --with FILE for many runs.",
      )
    return replayRun(run, { ...options, config }, terminal)
  }
  refuse(given, onlyWithConfig, "RUN --config FILE")
  if (run !== undefined)
    throw new UsageProblem(
      `a run is only accepted with --config. Select a run for --with by: --run ${shellWord(run)}`,
    )
  if ((json === true || json === "-") && markdown === "-")
    throw new UsageProblem("only one report can go to stdout. Pass a file to --json or --markdown.")
  const { replayRuns } = await import("../replay/replay-runs.js")
  return replayRuns({ ...options, with: edited, concurrency }, terminal)
}

function refuse(given: readonly string[], others: readonly string[], form: string): void {
  const wrong = given.find((name) => others.includes(name))
  if (wrong === undefined) return
  const option = wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new UsageProblem(`--${option} is only accepted in the form: replay ${form}`)
}

async function replayRun(
  idOrPrefix: string,
  options: ReplayOptions & { readonly config: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const { findRun } = await import("../run/find-run.js")
  const { openJournal } = await import("../run/open-journal.js")
  const { describeReplay, replay } = await import("../../runtime/index.js")
  const { storeAdopted } = await import("../../runtime/runner/adopt.js")
  const chart = await loadChart(options.config, options, terminal)
  if (chart === null) return exitCodes.invalid
  const store = await openJournal(options, terminal)
  try {
    const stored = await findRun(idOrPrefix, store, options)
    if (options.adopt === true) {
      const { runId = randomIds.next() } = options
      await storeAdopted(store.journal, { runId: stored.header.runId, chart, newId: runId })
      terminal.print(
        `Run ${runId} is stored in ${store.location}. Resume it with: ${resumeCommand({ runId, options: journalOption(options) })}`,
      )
      return exitCodes.ok
    }
    const replayed = replay(stored, chart)
    const { json } = options
    if (json === undefined) terminal.print(safeText(describeReplay(replayed)))
    else {
      const text = JSON.stringify({ ...replayed, run: undefined }, withoutInputs, 2)
      await writeResult(`${escapedJson(text)}\n`, json === true ? undefined : json, terminal)
    }
    return replayed.isSame ? exitCodes.ok : exitCodes.failed
  } finally {
    await store.close()
  }
}

/**
 * Replacer for `JSON.stringify` that omits the inputs of model and tool calls. The inputs are long,
 * and the printed differences already show the relevant values.
 */
const withoutInputs = (key: string, value: unknown): unknown =>
  key === "input" ? undefined : value
