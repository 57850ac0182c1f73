import type { Command } from "commander"
import type { ExitCode } from "../exit-codes.js"
import type { RunOptions } from "../run/run-options.js"
import { withRunOptions } from "../run/run-options.js"
import type { Terminal } from "../terminal.js"

const manual = `
What has a result is not done again. What was in flight is, under the same idempotency key. The run keeps the chart that it was
started with; give the same services as then. A run that another process carries on is refused.

Examples:
  agent-statecharts resume 6f1c
  agent-statecharts resume order-7 --services services.mjs --journal runs.sqlite`

export function addResume(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withRunOptions(program.command("resume"))
    .description("take up a run that was left, interrupted or killed")
    .argument("<run>", "its id, or the beginning of it")
    .option("--allow-processes", "let MCP servers be programs that a run starts")
    .addHelpText("after", manual)
    .action(async (run: string, options: RunOptions) => {
      const { takeUp } = await import("../run/take-up.js")
      exit(await takeUp(run, options, { asks: true }, terminal))
    })
}
