import { Writable } from "node:stream"
import type { Command } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { withHostOptions } from "../host-options.js"
import { orInstall } from "../missing-package.js"
import { interrupted } from "../run/interrupts.js"
import { openJournal } from "../run/open-journal.js"
import { withJournal } from "../run/run-options.js"
import { hanging, oneLine } from "../untrusted-text.js"
import type { ServingOptions } from "../serving-options.js"
import { withServingOptions } from "../serving-options.js"
import type { Terminal } from "../terminal.js"
import { compileAs } from "../workflow-options.js"
import { UsageProblem } from "../usage-problem.js"

interface McpCommandOptions extends ServingOptions {
  readonly scripted?: boolean
  readonly resume?: boolean
}

const manual = `
Started by a client of MCP, which speaks to it over stdin and stdout: Claude Desktop, an editor, another agent. Each workflow is a tool.
What a run waits for is asked in the client where it can show forms; elsewhere the tool answer_run goes on. agent-statecharts serve --mcp
offers the same over HTTP. It needs the package @modelcontextprotocol/server.

In the configuration of a client:
  {"mcpServers": {"workflows": {"command": "npx", "args": ["agent-statecharts", "mcp", "/path/to/workflows", "--journal", "/path/to/runs"]}}}`

export function addMcp(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withServingOptions(
    withHostOptions(withJournal(program.command("mcp")))
      .description("offer workflows as tools of MCP, over stdin and stdout")
      .argument("[place]", "a workflow, or a folder that holds some", ".")
      .option("--scripted", "let a scenario.json beside a workflow answer for its models and tools")
      .option("--resume", "take up the runs that were interrupted"),
  )
    .addHelpText("after", manual)
    .action(async (place: string, options: McpCommandOptions) =>
      exit(await serveMcp(place, options, terminal, program.version() ?? "")),
    )
}

async function serveMcp(
  place: string,
  options: McpCommandOptions,
  { complain, paintError }: Terminal,
  version: string,
): Promise<ExitCode> {
  const output = takeStdout()
  const { existsSync } = await import("node:fs")
  if (!existsSync(place)) throw new UsageProblem(`there is no file or folder ${place}.`)
  const { startMcpStdio } = await import("../../server/start-mcp-stdio.js")
  const { openRunServices } = await import("../run/open-run-services.js")
  const { journal: _journal, scripted = false, resume = false, ...services } = options
  const kept = await openJournal(options, { complain, paintError })
  const warn = (text: string): void => complain(`${paintError.warn("warning")}: ${hanging(text)}`)
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
  for (const { file, diagnostics } of server.refused)
    warn(oneLine(`${file} has errors and is not served: ${diagnostics[0]?.message ?? ""}`))
  complain(
    `${server.workflows.length} ${server.workflows.length === 1 ? "workflow is a tool" : "workflows are tools"} of MCP here; runs are kept in ${kept.place}.`,
  )
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
