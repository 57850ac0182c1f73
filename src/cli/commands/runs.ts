import type { Command } from "commander"
import type { ExitCode } from "../exit-codes.js"
import type { Terminal } from "../terminal.js"
import { addAnswering } from "./runs/answering.js"
import { addLooking } from "./runs/looking.js"
import { addVerifying } from "./runs/verifying.js"

const manual = `
Runs are kept in .agent-statecharts/runs, or in the --journal that they were started with. Answers may be given by any process: it
takes the run up, gives the answer, and carries the run on until it rests, as run does. Give the same services as at its start.

Exit codes are those of run: 0 completed, 1 failed, 2 usage, 3 waiting for a person, 4 limit reached, 130 cancelled or left

Examples:
  agent-statecharts runs list
  agent-statecharts runs pending order-7
  agent-statecharts runs verify --journal runs.sqlite
  agent-statecharts runs approve order-7 --args '{"amount":5}'
  agent-statecharts runs answer order-7 Tokyo`

/** Everything about runs that are kept. */
export function addRuns(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  const runs = program
    .command("runs")
    .description("list the runs that are kept, answer what they wait for, cancel them")
    .addHelpText("after", manual)
  addLooking(runs, terminal, exit)
  addVerifying(runs, terminal, exit)
  addAnswering(runs, terminal, exit)
}
