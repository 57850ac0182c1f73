import type { Command } from "commander"
import type { ExitCode } from "./terminal/exit-codes.js"
import type { Terminal } from "./terminal/terminal.js"

/**
 * Adds one command, such as `run`, to the command-line program. The command passes its exit code to
 * `exit` when it ends.
 */
type AddCommand = (program: Command, terminal: Terminal, exit: (code: ExitCode) => void) => void

/**
 * Functions that load the commands, by command name. `--help` lists the commands in this order. The
 * program loads only the command that it runs, because loading all commands takes longer than most
 * commands run.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import("./commands/init.js")).addInit,
  check: async () => (await import("./commands/check.js")).addCheck,
  compile: async () => (await import("./commands/compile.js")).addCompile,
  draw: async () => (await import("./commands/draw.js")).addDraw,
  run: async () => (await import("./commands/run.js")).addRun,
  resume: async () => (await import("./commands/resume.js")).addResume,
  runs: async () => (await import("./commands/runs.js")).addRuns,
  users: async () => (await import("./commands/users.js")).addUsers,
  fork: async () => (await import("./commands/fork.js")).addFork,
  replay: async () => (await import("./commands/replay.js")).addReplay,
  migrate: async () => (await import("./commands/migrate.js")).addMigrate,
  coverage: async () => (await import("./commands/coverage.js")).addCoverage,
  faults: async () => (await import("./commands/faults.js")).addFaults,
  "test-plan": async () => (await import("./commands/test-plan.js")).addTestPlan,
  eval: async () => (await import("./commands/eval.js")).addEval,
  serve: async () => (await import("./commands/serve.js")).addServe,
  schedules: async () => (await import("./commands/schedules.js")).addSchedules,
  mcp: async () => (await import("./commands/mcp.js")).addMcp,
  studio: async () => (await import("./commands/studio.js")).addStudio,
  "to-workflow": async () => (await import("./commands/to-workflow.js")).addToWorkflow,
  "scripted-llm": async () => (await import("./commands/scripted-llm.js")).addScriptedLlm,
  schema: async () => (await import("./commands/schema.js")).addSchema,
  demo: async () => (await import("./commands/demo.js")).addDemo,
}

/**
 * Loads the commands that are needed to parse the arguments. Loads only one command if the first
 * argument is its name, and none for `--version`. Loads all commands for the help text and for
 * unknown commands.
 */
export function loadCommands(args: readonly string[]): Promise<readonly AddCommand[]> {
  const [first = ""] = args.filter((argument) => argument !== "--debug")
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (named !== undefined) return named().then((add) => [add])
  if (first === "--version" || first === "-V") return Promise.resolve([])
  return Promise.all(Object.values(commands).map((load) => load()))
}
