import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodeOf, exitCodes } from "../exit-codes.js"
import { loadChart } from "../load-chart.js"
import { parseJson, readJson, readSource } from "../read-source.js"
import type { OpenServices, ServiceOptions } from "../run/open-services.js"
import type { RunView } from "../run/run-view.js"
import type { Terminal } from "../terminal.js"
import { UsageProblem } from "../usage-problem.js"
import type { WorkflowOptions } from "../workflow-options.js"
import { withWorkflowOptions } from "../workflow-options.js"

interface RunOptions extends WorkflowOptions, ServiceOptions {
  readonly prompt?: string
  readonly state?: string
  readonly answers?: string
  readonly runId?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

const manual = `
At a terminal you see the agents at work and are asked when an agent waits for you. Elsewhere a run that waits ends with
exit code 3, unless --answers says what to answer. Secrets are read from --secrets, or from variables AGENT_SECRET_<name>.

Models named openai:... and ollama:... are asked at OPENAI_BASE_URL and OLLAMA_BASE_URL or where those usually are, with OPENAI_API_KEY;
--openai names one server for all of them.

Exit codes:
  0 completed, 1 failed, 2 invalid config or usage, 3 waiting for a person, 4 limit reached, 130 cancelled

Examples:
  agent-statecharts run workflow.json --prompt "Plan a trip to Tokyo."
  agent-statecharts run workflow.json --scripted scenario.json --answers answers.json
  agent-statecharts run agent.json --services services.mjs
  agent-statecharts run team/ --openai http://127.0.0.1:11434/v1
  agent-statecharts run workflow.chart.json --state '{"city":"Tokyo"}' --json | jq .type
  echo "Plan a trip." | agent-statecharts run workflow.json --prompt - --quiet`

export function addRun(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withWorkflowOptions(program.command("run"))
    .description("run a workflow config or a compiled chart")
    .argument("<file>", 'a workflow config (JSON, YAML, or a folder with a root_agent.yaml) or a compiled chart; "-" is stdin')
    .option("-p, --prompt <text>", 'the first message of the user; "-" reads it from stdin')
    .option("--state <json>", "added to the initial state: a JSON object, or @file")
    .option("--scripted <file>", "let a scripted service in this process answer all calls, by a scenario file")
    .option("--openai <url>", "let a server that speaks OpenAI's chat completions API answer for models by name: Ollama, vLLM, LiteLLM")
    .option("--answers <file>", 'what to answer when the run waits: a JSON list such as [{"approve":true}]')
    .option("--secrets <file>", "secrets as JSON or as lines NAME=value")
    .option("--allow-template-hosts", "let templates decide which host is called")
    .option("--max-response-bytes <n>", "larger answers of services fail (default 10 MiB)", wholeNumber)
    .option("--run-id <id>", "the run's id, otherwise a random one")
    .option("--json", "events as lines of JSON on stdout, and nothing else")
    .option("-q, --quiet", "nothing but the final text")
    .addHelpText("after", manual)
    .action(async (file: string, options: RunOptions) => exit(await runFile(file, options, terminal)))
}

async function runFile(file: string, options: RunOptions, terminal: Terminal): Promise<ExitCode> {
  const silent = options.json === true || options.quiet === true
  if (file === "-" && options.prompt === "-") throw new UsageProblem("the workflow and the prompt cannot both be read from stdin. Give one of them as a file or as text.")
  const [state, prompt] = [await readState(options.state), options.prompt === "-" ? (await readSource("-")).text.trim() : options.prompt]
  const { readAnswers } = await import("../run/answer-script.js")
  const answers = options.answers === undefined ? [] : await readAnswers(options.answers)
  const chart = await loadChart(file, options, terminal, options.quiet)
  if (chart === null) return exitCodes.invalid
  const { openServices } = await import("../run/open-services.js")
  const { performRun } = await import("../run/perform-run.js")
  const { printPending, printReport } = await import("../run/run-report.js")
  const services = await openServices(chart, options)
  try {
    if (services.scripted !== null && !silent) terminal.print(terminal.paint.dim(`All calls are answered by ${options.scripted} (scripted, ${services.scripted.url}).`))
    const start = { ...(prompt === undefined ? {} : { prompt }), ...(state === undefined ? {} : { state }), ...(options.runId === undefined ? {} : { runId: options.runId }) }
    const view = await viewFor(chart, options, terminal)
    const performed = await performRun({ chart, start, services, view, answers, asks: terminal.isInteractive && !silent }, terminal)
    const { result, pending, unused, elapsedMs } = performed
    if (!silent) printReport(result, elapsedMs, terminal)
    else if (options.json !== true && result.text !== null) terminal.print(result.text)
    if (options.quiet === true && result.error !== null) terminal.complain(`${result.error.code}: ${result.error.message}`)
    if (result.status === "waiting") printPending(pending, terminal)
    if (unused.length > 0) terminal.complain(`Nobody asked for the last ${unused.length === 1 ? "answer" : `${unused.length} answers`} of ${options.answers}.`)
    if (options.quiet !== true) printExhausted(services, terminal)
    return exitCodeOf(result.status)
  } finally {
    await services.close()
  }
}

async function viewFor(chart: Parameters<typeof import("../run/live-tree.js").liveTree>[0], { json, quiet }: RunOptions, terminal: Terminal): Promise<RunView> {
  if (json === true) return (await import("../run/line-views.js")).jsonView(terminal)
  if (quiet === true) return (await import("../run/run-view.js")).noView
  return terminal.isLive ? (await import("../run/live-tree.js")).liveTree(chart, terminal) : (await import("../run/line-views.js")).lineView(terminal)
}

function printExhausted({ scripted }: OpenServices, { complain }: Terminal): void {
  for (const { kind, id, nth } of scripted?.exhausted ?? []) complain(`The script has no answer for call ${nth + 1} of ${kind === "llm" ? "agent" : "tool"} "${id}".`)
}

async function readState(given: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (given === undefined) return undefined
  const value = given.startsWith("@") ? await readJson(given.slice(1), "state file") : parseJson(given, "--state")
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new UsageProblem(`--state has to be a JSON object such as {"city":"Tokyo"}, or @file.`)
  return value as Record<string, unknown>
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number from 1 on.")
  return Number(text)
}
