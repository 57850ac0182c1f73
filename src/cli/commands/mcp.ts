import { Writable } from "node:stream"
import type { Command } from "commander"
import { requirePath } from "../files/missing-path.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { withHostOptions } from "../options/host-options.js"
import { orInstall } from "../errors/missing-package.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"
import { resumption } from "../run/resumption.js"
import { openJournal } from "../run/open-journal.js"
import { withJournal } from "../options/run-options.js"
import { escapeIndented, oneLine } from "../terminal/untrusted-text.js"
import type { ServingOptions } from "../options/serving-options.js"
import { withServingOptions } from "../options/serving-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { compileAs } from "../workflow/compile-options.js"

interface McpCommandOptions extends ServingOptions {
  readonly scripted?: boolean
  readonly resume?: boolean
}

const manual = `
An MCP client such as Claude Desktop, an editor or another agent starts this command and communicates over stdin and stdout. Each workflow
is a tool. If a run needs a person, a client that supports forms (elicitation) shows a form; other clients call the tool answer_run.
agent-statecharts serve --mcp serves the same tools over HTTP. Both need the package @modelcontextprotocol/server.

In the configuration of a client:
  {"mcpServers": {"workflows": {"command": "npx", "args": ["agent-statecharts", "mcp", "/path/to/workflows", "--journal", "/path/to/runs"]}}}`

export function addMcp(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withServingOptions(
    withHostOptions(withJournal(program.command("mcp")))
      .description("serve workflows as MCP tools over stdin and stdout")
      .argument("[path]", "workflow file or folder with workflows", ".")
      .option(
        "--scripted",
        "use the scenario.json in a workflow's folder as responses of its models and tools",
      )
      .option("--resume", "resume interrupted runs, also of other processes that stop"),
  )
    .addHelpText("after", manual)
    .action(async (path: string, options: McpCommandOptions) =>
      exit(await serveMcp(path, options, terminal, program.version() ?? "")),
    )
}

async function serveMcp(
  path: string,
  options: McpCommandOptions,
  terminal: Terminal,
  version: string,
): Promise<ExitCode> {
  const { printError, paintError } = terminal
  const output = reserveStdout()
  requirePath(path)
  const { startMcpStdio } = await import("../../server/start-mcp-stdio.js")
  const { openRunServices } = await import("../services/open-run-services.js")
  const { journal: _journal, scripted = false, resume = false, ...services } = options
  const { openPolicies } = await import("../services/open-policies.js")
  const policies = await openPolicies(options)
  const store = await openJournal(options, { printError, paintError })
  const warn = (text: string): void =>
    printError(`${paintError.warning("warning")}: ${escapeIndented(text)}`)
  const server = await startMcpStdio({
    path,
    journal: store.journal,
    sessions: store.sessions,
    memory: store.memory,
    responseCache: store.responseCache,
    openServices: openRunServices(services, policies),
    scripted,
    resume: resume ? resumption(printError, warn) : null,
    compileAs: await compileAs(options),
    version,
    input: process.stdin,
    output,
    onProblem: ({ message }) => warn(message),
  }).catch(
    orInstall(
      "this command requires a package that is not installed",
      "@modelcontextprotocol/server",
    ),
  )
  const finished = Promise.race([server.ended, untilInterrupted(terminal)])
  for (const { file, diagnostics } of server.refused)
    warn(oneLine(`${file} has errors and is not served: ${diagnostics[0]?.message ?? ""}`))
  printError(
    `Serving ${server.workflows.length} ${server.workflows.length === 1 ? "workflow as an MCP tool" : "workflows as MCP tools"}. Runs are stored in ${store.location}.`,
  )
  await finished
  await server.close()
  await store.close()
  return exitCodes.ok
}

/**
 * Returns a stream to the real stdout for MCP messages, and redirects all other writes to stdout
 * (for example from user services) to stderr.
 */
function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) })
}
