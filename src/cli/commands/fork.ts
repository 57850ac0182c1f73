import type { Command } from "commander"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { readStateOption } from "../files/read-state-option.js"
import type { RunOptions } from "../options/run-options.js"
import { position, withRunOptions } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"

interface ForkCommandOptions extends RunOptions {
  readonly at: number
  readonly runId?: string
  readonly state?: string
  readonly remove?: readonly string[]
  readonly prompt?: string
}

const manual = `
The new run copies the first records of the other run and continues from there. Finished calls are not repeated. The other run does not
change. agent-statecharts runs show RUN --at N shows the run at that record. Answer requests that are pending there with --answers or with
agent-statecharts runs.

Examples:
  agent-statecharts fork order-7 --at 4
  agent-statecharts fork order-7 --at 4 --state '{"budget":100}' --run-id order-7-cheap
  agent-statecharts fork order-7 --at 0 --prompt "Plan a trip to Oslo."`

export function addFork(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withRunOptions(program.command("fork"))
    .description("start a new run from a record of another run")
    .argument("<run>", "id of the run, or its first characters")
    .requiredOption("--at <n>", "number of records to copy; 0 starts from the beginning", position)
    .option("--run-id <id>", "id of the new run (default: a random id)")
    .option(
      "--state <json>",
      "values to overwrite in the session state at that record: a JSON object or @file",
    )
    .option("--remove <key...>", "keys to remove from the session state")
    .option("--prompt <text>", "replace the first user message; requires --at 0")
    .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
    .addHelpText("after", manual)
    .action(async (run: string, options: ForkCommandOptions) =>
      exit(await forkRun(run, options, terminal)),
    )
}

async function forkRun(
  idOrPrefix: string,
  options: ForkCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { executeRun } = await import("../run/execute-run.js")
  const { findRun } = await import("../run/find-run.js")
  const { openJournal } = await import("../run/open-journal.js")
  const { fork } = await import("../../runtime/index.js")
  const { storeRun } = await import("../../runtime/journal/stored-run.js")
  const { at, runId = randomIds.next(), remove = [], prompt } = options
  const state = await readStateOption(options.state)
  const store = await openJournal(options, terminal)
  try {
    const changes = {
      remove,
      ...(state !== undefined && { state }),
      ...(prompt !== undefined && { prompt }),
    }
    const forked = fork(await findRun(idOrPrefix, store, options), {
      at,
      runId,
      now: Date.now(),
      ...changes,
    })
    await storeRun(store.journal, forked)
    return await executeRun(
      {
        chart: forked.header.chart,
        store,
        options,
        open: (runner, before) => runner.resume(runId, { before }),
        askUser: true,
      },
      terminal,
    )
  } finally {
    await store.close()
  }
}
