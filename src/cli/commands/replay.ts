import type { Command } from "commander"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodes } from "../errors/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { resumeCommand } from "../format/follow-up-commands.js"
import type { JournalOption } from "../options/run-options.js"
import { withJournal } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withWorkflowOptions } from "../options/workflow-options.js"
import { escapedJson, safeText } from "../terminal/untrusted-text.js"

interface ReplayOptions extends JournalOption, WorkflowOptions {
  readonly config: string
  readonly json?: boolean
  readonly adopt?: boolean
  readonly runId?: string
}

const manual = `
The command runs the new config with the recorded responses of the run, matched by agent path and call number. It makes no calls. With
--adopt, it stores the result as a new run, if every recorded response was used.

Exit codes:
  0 no difference, or adopted, 1 different, 2 invalid config or usage, or an unused response prevents --adopt

Examples:
  agent-statecharts replay order-7 --config workflow.json
  agent-statecharts replay order-7 --config workflow.json --adopt --run-id order-7-new`

export function addReplay(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withWorkflowOptions(withJournal(program.command("replay")))
    .description("replay a run with another config and report the differences")
    .argument("<run>", "id of the run, or its first characters")
    .requiredOption("--config <file>", "a workflow config or a compiled chart")
    .option("--json", "print JSON")
    .option("--adopt", "store the run with this config as a new run")
    .option("--run-id <id>", "id of the new run (default: a random id)")
    .addHelpText("after", manual)
    .action(async (run: string, options: ReplayOptions) =>
      exit(await replayRun(run, options, terminal)),
    )
}

async function replayRun(
  idOrPrefix: string,
  options: ReplayOptions,
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
        `Run ${runId} is stored in ${store.location}. Resume it with: ${resumeCommand({ runId, options })}`,
      )
      return exitCodes.ok
    }
    const replayed = replay(stored, chart)
    terminal.print(
      options.json === true
        ? escapedJson(JSON.stringify({ ...replayed, run: undefined }, withoutInputs, 2))
        : safeText(describeReplay(replayed)),
    )
    return replayed.isSame ? exitCodes.ok : exitCodes.failed
  } finally {
    store.close()
  }
}

/**
 * Leaves out call inputs: requests are long, and the difference lines already show the relevant
 * parts.
 */
const withoutInputs = (key: string, value: unknown): unknown =>
  key === "input" ? undefined : value
