import { Command, CommanderError } from "commander"
import { thisPackage } from "../adapters/package-folder.js"
import { addCheck } from "./commands/check.js"
import { addCompile } from "./commands/compile.js"
import { addCoverage } from "./commands/coverage.js"
import { addDemo } from "./commands/demo.js"
import { addDraw } from "./commands/draw.js"
import { addFork } from "./commands/fork.js"
import { addInit } from "./commands/init.js"
import { addMcp } from "./commands/mcp.js"
import { addReplay } from "./commands/replay.js"
import { addResume } from "./commands/resume.js"
import { addRun } from "./commands/run.js"
import { addRuns } from "./commands/runs.js"
import { addSchema } from "./commands/schema.js"
import { addScriptedLlm } from "./commands/scripted-llm.js"
import { addServe } from "./commands/serve.js"
import { addStudio } from "./commands/studio.js"
import { addTestPlan } from "./commands/test-plan.js"
import { addToWorkflow } from "./commands/to-workflow.js"
import type { ExitCode } from "./errors/exit-codes.js"
import { exitCodes } from "./errors/exit-codes.js"
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
 * Parses the arguments and runs the command. `args` begins with the paths of Node and of the program, as `process.argv` does. Commands are loaded on demand, so that help and usage
 * errors appear at once.
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
    })
  addInit(program, terminal, exit)
  addCheck(program, terminal, exit)
  addCompile(program, terminal, exit)
  addDraw(program, terminal, exit)
  addRun(program, terminal, exit)
  addResume(program, terminal, exit)
  addRuns(program, terminal, exit)
  addFork(program, terminal, exit)
  addReplay(program, terminal, exit)
  addCoverage(program, terminal, exit)
  addTestPlan(program, terminal, exit)
  addServe(program, terminal, exit)
  addMcp(program, terminal, exit)
  addStudio(program, terminal, exit)
  addToWorkflow(program, terminal, exit)
  addScriptedLlm(program, terminal, exit)
  addSchema(program, terminal, exit)
  addDemo(program, terminal, exit)
  try {
    await program.parseAsync(args)
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid
    return reportProblem(error, terminal, program.opts()["debug"] === true)
  }
  return code
}
