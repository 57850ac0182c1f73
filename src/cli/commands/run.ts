import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { loadChart } from "../workflow/load-chart.js"
import { readSource } from "../files/read-source.js"
import { openJournal } from "../run/open-journal.js"
import { readStateOption } from "../files/read-state-option.js"
import type { RunOptions } from "../options/run-options.js"
import { aboutRun, withRunOptions } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withWorkflowOptions } from "../options/workflow-options.js"

interface RunFileOptions extends WorkflowOptions, RunOptions {
  readonly prompt?: string
  readonly state?: string
  readonly context?: string
  readonly runId?: string
}

const manual = `
In a terminal, the command shows the agents and asks you to answer requests. Without a terminal, it exits with code 3 if the run needs
an answer that --answers does not contain. You can answer later: see agent-statecharts runs --help. Ctrl-C stops the process and keeps the
run; resume it with agent-statecharts resume. Secrets are read from --secrets or from environment variables AGENT_SECRET_<name>.

Models named openai:... and ollama:... are called at OPENAI_BASE_URL and OLLAMA_BASE_URL, or at their default addresses, with
OPENAI_API_KEY. --openai selects one server for all of them.

Exit codes:
  0 completed, 1 failed, 2 invalid config or usage, 3 waiting for a person, 4 limit reached, 130 cancelled

Examples:
  agent-statecharts run workflow.json --prompt "Plan a trip to Tokyo."
  agent-statecharts run workflow.json --scripted scenario.json --answers answers.json
  agent-statecharts run agent.json --services services.mjs
  agent-statecharts run workflow.json --inspect
  agent-statecharts run team/ --openai http://127.0.0.1:11434/v1
  agent-statecharts run workflow.chart.json --state '{"city":"Tokyo"}' --json | jq .type
  echo "Plan a trip." | agent-statecharts run workflow.json --prompt - --quiet`

export function addRun(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withRunOptions(withWorkflowOptions(program.command("run")))
    .description("run a workflow config or a compiled chart")
    .argument(
      "<file>",
      'a workflow config (JSON, YAML, or a folder with a root_agent.yaml) or a compiled chart; "-" is stdin',
    )
    .option(
      "-p, --prompt <text>",
      'first user message; "-" reads it from stdin (default: the prompt in the config)',
    )
    .option("--state <json>", "values to add to the initial state: a JSON object or @file")
    .option("--context <json>", "values for the context of a graph: a JSON object or @file")
    .option("--run-id <id>", "id of the run (default: a random id)")
    .option("--no-journal", "do not store the run; Ctrl-C cancels the run")
    .addHelpText("after", manual)
    .action(async (file: string, options: RunFileOptions) =>
      exit(await runFile(file, options, terminal)),
    )
}

async function runFile(
  file: string,
  options: RunFileOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (file === "-" && options.prompt === "-")
    throw new UsageProblem(
      "the workflow and the prompt cannot both be read from stdin. Pass one of them as a file or as text.",
    )
  const [state, context, prompt] = [
    await readStateOption(options.state),
    await readStateOption(options.context, "--context"),
    options.prompt === "-" ? (await readSource("-")).text.trim() : options.prompt,
  ]
  const chart = await loadChart(file, options, terminal, options.quiet)
  if (chart === null) return exitCodes.invalid
  const start = {
    about: aboutRun(options),
    ...(prompt !== undefined && { prompt }),
    ...(state !== undefined && { state }),
    ...(context !== undefined && { context }),
    ...(options.runId !== undefined && { runId: options.runId }),
  }
  const { executeRun } = await import("../run/execute-run.js")
  const store = options.journal === false ? null : await openJournal(options, terminal)
  try {
    return await executeRun(
      { chart, store, options, open: (runner) => runner.start(chart, start), askUser: true },
      terminal,
    )
  } finally {
    await store?.close()
  }
}
