import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import type { RunOptions } from "../options/run-options.js"
import { withRunOptions } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"

const manual = `
Finished calls are not repeated. Calls that were in flight are repeated with the same idempotency key. The run keeps its original chart.
Pass the same services as at the start. A run that another process executes is rejected.

Examples:
  agent-statecharts resume 6f1c
  agent-statecharts resume order-7 --services services.mjs --journal runs.sqlite`

export function addResume(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withRunOptions(program.command("resume"))
    .description("resume a run that was interrupted or killed")
    .argument("<run>", "id of the run, or its first characters")
    .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
    .addHelpText("after", manual)
    .action(async (run: string, options: RunOptions) => {
      const { resumeRun } = await import("../run/resume-run.js")
      exit(await resumeRun(run, options, { askUser: true }, terminal))
    })
}
