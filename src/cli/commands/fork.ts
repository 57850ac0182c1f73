import type { Command } from "commander"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { ExitCode } from "../exit-codes.js"
import { readStateOption } from "../run/read-state.js"
import type { RunOptions } from "../run/run-options.js"
import { position, withRunOptions } from "../run/run-options.js"
import type { Terminal } from "../terminal.js"

interface ForkCommandOptions extends RunOptions {
  readonly at: number
  readonly runId?: string
  readonly state?: string
  readonly remove?: readonly string[]
  readonly prompt?: string
}

const manual = `
The new run begins with the first records of the other one, which stays as it is, and goes on from there: what had a result is not
done again. agent-statecharts runs show RUN --at N shows how it stood. Answers to what it waited for there are given with
--answers or with agent-statecharts runs, as always.

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
    .description("go on with a run from one of its records, as a new run")
    .argument("<run>", "its id, or the beginning of it")
    .requiredOption("--at <n>", "how many records the new run begins with; 0 begins anew", position)
    .option("--run-id <id>", "the new run's id, otherwise a random one")
    .option(
      "--state <json>",
      "written over the session state as it stood there: a JSON object, or @file",
    )
    .option("--remove <key...>", "keys that are taken from it")
    .option("--prompt <text>", "another first message; only with --at 0")
    .option("--allow-processes", "let MCP servers be programs that a run starts")
    .addHelpText("after", manual)
    .action(async (run: string, options: ForkCommandOptions) =>
      exit(await forkRun(run, options, terminal)),
    )
}

async function forkRun(
  given: string,
  options: ForkCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { carryOn } = await import("../run/carry-on.js")
  const { findRun } = await import("../run/find-run.js")
  const { openJournal } = await import("../run/open-journal.js")
  const { fork } = await import("../../runtime/index.js")
  const { storeRun } = await import("../../runtime/past/stored-run.js")
  const { at, runId = randomIds.next(), remove = [], prompt } = options
  const state = await readStateOption(options.state)
  const kept = await openJournal(options, terminal)
  try {
    const changes = {
      remove,
      ...(state === undefined ? {} : { state }),
      ...(prompt === undefined ? {} : { prompt }),
    }
    const forked = fork(await findRun(given, kept), { at, runId, now: Date.now(), ...changes })
    await storeRun(kept.journal, forked)
    return await carryOn(
      {
        chart: forked.header.chart,
        kept,
        options,
        open: (runner, before) => runner.resume(runId, { before }),
        asks: true,
      },
      terminal,
    )
  } finally {
    kept.close()
  }
}
