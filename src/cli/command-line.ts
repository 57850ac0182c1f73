import { Command, CommanderError } from "commander"
import { thisPackage } from "../adapters/package-folder.js"
import { loadCommands } from "./command-table.js"
import type { ExitCode } from "./terminal/exit-codes.js"
import { exitCodes } from "./terminal/exit-codes.js"
import { reportProblem } from "./errors/report-problem.js"
import type { Terminal } from "./terminal/terminal.js"

const manual = `
Exit codes:
  0 completed, 1 failed, 2 invalid config or usage, 3 waiting for a person, 4 limit reached, 130 cancelled

Examples:
  agent-statecharts demo
  agent-statecharts init my-agents
  agent-statecharts check workflow.json
  agent-statecharts draw workflow.json -o workflow.mmd
  agent-statecharts run workflow.json --prompt "Plan a trip to Tokyo."
  agent-statecharts runs list
  agent-statecharts studio

Run agent-statecharts <command> --help to list the arguments and options of a command.`

/**
 * Runs the `agent-statecharts` command that `args` selects and returns its exit code. `args` has
 * the format of `process.argv`, so it begins with the paths of Node and of the program.
 */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok
  const exit = (chosen: ExitCode): void => void (code = chosen)
  const program = new Command("agent-statecharts")
    .description("Compile multi-agent workflows to statecharts, draw them and run them.")
    .version(thisPackage().version, "-V, --version")
    .option("--debug", "print the stack trace of errors")
    .addHelpText("after", manual)
    .showHelpAfterError("Add --help to list the arguments and options.")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.document(text),
      writeErr: (text) => terminal.printError(text.replace(/\n$/, "")),
      // A line break in an argument must not imitate a line of the program. A suggestion has its
      // own line.
      outputError: (text, write) => write(text.replace(/\n(?!$|\(Did you mean)/g, "\n  ")),
    })
  for (const add of await loadCommands(args.slice(2))) add(program, terminal, exit)
  try {
    await program.parseAsync(args)
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid
    return reportProblem(error, terminal, program.opts()["debug"] === true)
  }
  return code
}
