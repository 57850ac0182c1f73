import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import type { MigrateRunsOptions } from "../migrate/migrate-options.js"
import { withJournal } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"

const manual = `
The command replays every open run with the edited workflow, without calling a model or tool. It changes a run only if the edited workflow
uses all recorded answers and results of the run. Then the run continues with the edited workflow, under the same id.

  adoptable  the edited workflow processes all records in the same way
  forkable   the workflows differ after a record. If recorded answers or results would be lost, the run is only changed with --fork:
             a new run continues it, and the old run is cancelled
  stays      the run would fail with the edited workflow, or it would lose records and cannot be forked
  skipped    a process executes the run. Stop the process, or run the command again later

If the command is interrupted, run it again. It continues with the runs that still have the old workflow.

Exit codes:
  0 every open run has the edited workflow (--dry-run: would have it), 1 some runs keep their workflow, 2 invalid config or usage,
  130 interrupted

Examples:
  agent-statecharts migrate --journal runs.sqlite --to edited.yaml --dry-run
  agent-statecharts migrate --journal runs.sqlite --to edited.yaml
  agent-statecharts migrate --to edited.yaml --run order-7 --fork`

export function addMigrate(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(withJournal(program.command("migrate"))))
    .description("continue the open runs of a journal with an edited workflow")
    .requiredOption("--to <file>", "the edited workflow config or a compiled chart")
    .option("--workflow <id>", "id of the workflow of the runs (default: the id of --to)")
    .option("--run <id...>", "only these runs")
    .option("--dry-run", "classify the runs, but do not change them")
    .option("--fork", "fork the runs that would lose recorded answers or results")
    .option("--json [file]", "print JSON, or write it to a file")
    .addHelpText("after", manual)
    .action(async (options: MigrateRunsOptions) => {
      const { migrateStoredRuns } = await import("../migrate/migrate-stored-runs.js")
      exit(await migrateStoredRuns(options, terminal))
    })
}
