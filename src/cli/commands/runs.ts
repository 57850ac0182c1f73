import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import { addAnswerCommands } from "./runs/answer-commands.js"
import { addDeleteCommands } from "./runs/delete-commands.js"
import { addReadCommands } from "./runs/read-commands.js"
import { addVerifyCommand } from "./runs/verify-command.js"

const manual = `
Runs are stored in .agent-statecharts/runs, or in the --journal that was passed at the start. Any process can answer a run. The commands
that answer a run resume it, submit the answer, and execute the run until it is idle or finished. Pass the same
services as at the start.

Exit codes are those of run: 0 completed, 1 failed, 2 usage, 3 waiting for a person, 4 limit reached, 130 cancelled or interrupted

Examples:
  agent-statecharts runs list
  agent-statecharts runs pending order-7
  agent-statecharts runs verify --journal runs.sqlite
  agent-statecharts runs approve order-7 --args '{"amount":5}'
  agent-statecharts runs answer order-7 Tokyo
  agent-statecharts runs prune --older-than 30d --status completed`

/** Adds the `runs` command, which lists, shows, answers, verifies and deletes stored runs. */
export function addRuns(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  const runs = program
    .command("runs")
    .description("list stored runs, answer their requests, cancel, verify and delete them")
    .addHelpText("after", manual)
  addReadCommands(runs, terminal, exit)
  addVerifyCommand(runs, terminal, exit)
  addAnswerCommands(runs, terminal, exit)
  addDeleteCommands(runs, terminal, exit)
}
