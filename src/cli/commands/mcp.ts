import { Writable } from "node:stream"
import type { Command } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import type { HostOptions } from "../host-options.js"
import { withHostOptions } from "../host-options.js"
import { orInstall } from "../missing-package.js"
import { interrupted } from "../run/interrupts.js"
import { openJournal } from "../run/open-journal.js"
import type { JournalOption } from "../run/run-options.js"
import { withJournal } from "../run/run-options.js"
import { oneLine } from "../run/shown-text.js"
import type { Terminal } from "../terminal.js"
import { compileAs } from "../workflow-options.js"
import { UsageProblem } from "../usage-problem.js"

interface McpCommandOptions extends JournalOption, HostOptions {
  readonly scripted?: boolean
  readonly resume?: boolean
  readonly services?: string
  readonly openai?: string
  readonly secrets?: string
  readonly prices?: string
  readonly allowProcesses?: boolean
}

const manual = `
Started by a client of MCP, which speaks to it over stdin and stdout: Claude Desktop, an editor, another agent. Each workflow is a tool.
What a run waits for is asked in the client where it can show forms; elsewhere the tool answer_run goes on. agent-statecharts serve --mcp
offers the same over HTTP. It needs the package @modelcontextprotocol/server.

In the configuration of a client:
  {"mcpServers": {"workflows": {"command": "npx", "args": ["agent-statecharts", "mcp", "/path/to/workflows", "--journal", "/path/to/runs"]}}}`

export function addMcp(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withHostOptions(withJournal(program.command("mcp")))
    .description("offer workflows as tools of MCP, over stdin and stdout")
    .argument("[place]", "a workflow, or a folder that holds some", ".")
    .option("--scripted", "let a scenario.json beside a workflow answer for its models and tools")
    .option("--resume", "take up the runs that were interrupted")
    .option("--services <module>", "an ES module that exports host code, models and tools by name (services, models, tools)")
    .option("--openai <url>", "let a server that speaks OpenAI's chat completions API answer for models by name: Ollama, vLLM, LiteLLM")
    .option("--secrets <file>", "secrets as JSON or as lines NAME=value")
    .option("--prices <file>", "what a million tokens of each model cost, as JSON; else priceOf of --services")
    .option("--allow-processes", "let MCP servers be programs that a run starts")
    .addHelpText("after", manual)
    .action(async (place: string, options: McpCommandOptions) => exit(await serveMcp(place, options, terminal, program.version() ?? "")))
}

async function serveMcp(place: string, options: McpCommandOptions, { complain, paintError }: Terminal, version: string): Promise<ExitCode> {
  const output = takeStdout()
  const { existsSync } = await import("node:fs")
  if (!existsSync(place)) throw new UsageProblem(`there is no file or folder ${place}.`)
  const { startMcpStdio } = await import("../../server/start-mcp-stdio.js")
  const { openRunServices } = await import("../run/open-run-services.js")
  const { journal: _journal, scripted = false, resume = false, ...services } = options
  const kept = await openJournal(options, { complain, paintError })
  const warn = (text: string): void => complain(`${paintError.warn("warning")}: ${text}`)
  const server = await startMcpStdio({
    place,
    journal: kept.journal,
    openServices: openRunServices(services),
    scripted,
    resume,
    compileAs: await compileAs(options),
    version,
    input: process.stdin,
    output,
    onProblem: ({ message }) => warn(message),
  }).catch(orInstall("MCP needs a package", "@modelcontextprotocol/server"))
  const over = Promise.race([server.ended, interrupted()])
  for (const { file, diagnostics } of server.refused) warn(oneLine(`${file} has errors and is not served: ${diagnostics[0]?.message ?? ""}`))
  complain(`${server.workflows.length} ${server.workflows.length === 1 ? "workflow is a tool" : "workflows are tools"} of MCP here; runs are kept in ${kept.place}.`)
  await over
  await server.close()
  kept.close()
  return exitCodes.ok
}

/** Stdout carries the protocol. Whatever else writes there, code of the user's services for one, is led to stderr. */
function takeStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) })
}
