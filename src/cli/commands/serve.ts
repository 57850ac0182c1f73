import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { withHostOptions } from "../host-options.js"
import { orInstall } from "../missing-package.js"
import { interrupted } from "../run/interrupts.js"
import { openJournal } from "../run/open-journal.js"
import { withJournal } from "../run/run-options.js"
import { oneLine } from "../untrusted-text.js"
import type { ServingOptions } from "../serving-options.js"
import { withServingOptions } from "../serving-options.js"
import type { Terminal } from "../terminal.js"
import { compileAs } from "../workflow-options.js"
import { UsageProblem } from "../usage-problem.js"

interface ServeOptions extends ServingOptions {
  readonly port: number
  readonly host: string
  readonly token?: string
  /** false with --no-auth. */
  readonly auth: boolean
  readonly allowOrigin: readonly string[]
  readonly page?: string
  readonly maxBody: number
  readonly maxOpenRuns: number
  readonly rate: number
  readonly scripted?: boolean
  readonly resume?: boolean
  readonly mcp?: boolean
}

const tokenVariable = "AGENT_STATECHARTS_TOKEN"

const manual = `
Every workflow of the folder can be started over HTTP; GET /v1/workflows lists them, GET /openapi.json describes the routes.
Clients send the token as Authorization: Bearer. Without --token it is taken from ${tokenVariable}, else a random one is printed.
When the server is stopped, every run is left as it is; --resume takes up what was interrupted.

Examples:
  agent-statecharts serve workflows/
  agent-statecharts serve workflows/ --openai http://127.0.0.1:11434/v1 --journal runs.sqlite --resume
  agent-statecharts serve examples --scripted --no-auth`

export function addServe(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServingOptions(
    withHostOptions(withJournal(program.command("serve")))
      .description(
        "serve workflows over HTTP: runs, events, AG-UI, A2A, Graph Compose's queries, MCP",
      )
      .argument("[place]", "a workflow, or a folder that holds some", ".")
      .option("--port <n>", "the port; any free one unless given", count(65_535), 0)
      .option("--host <address>", "where to listen; other machines can reach it then", "127.0.0.1")
      .option(
        "--token <text>",
        `what clients have to send; else ${tokenVariable}, else a random one`,
      )
      .option("--no-auth", "serve everybody on this machine")
      .option(
        "--allow-origin <origin>",
        "let pages of this origin ask; may be given several times",
        (one: string, others: readonly string[]) => [...others, one],
        [],
      )
      .option("--page <file>", "an HTML page to show at /")
      .option("--max-body <bytes>", "larger requests are refused", count(1024 ** 3), 1024 * 1024)
      .option("--max-open-runs <n>", "more are not started", count(1_000_000), 10_000)
      .option(
        "--rate <n>",
        "requests of one address in a second; 0 for no limit",
        count(1_000_000),
        100,
      )
      .option("--scripted", "let a scenario.json beside a workflow answer for its models and tools")
      .option("--resume", "take up the runs that were interrupted")
      .option(
        "--mcp",
        "offer workflows as tools of MCP at /mcp; over stdio: agent-statecharts mcp",
      ),
  )
    .addHelpText("after", manual)
    .action(async (place: string, options: ServeOptions) =>
      exit(await serve(place, options, terminal, program.version() ?? "")),
    )
}

async function serve(
  place: string,
  options: ServeOptions,
  terminal: Terminal,
  version: string,
): Promise<ExitCode> {
  const { existsSync } = await import("node:fs")
  if (!existsSync(place)) throw new UsageProblem(`there is no file or folder ${place}.`)
  const { isLoopback, startServer } = await import("../../server/start-server.js")
  if (!options.auth && !isLoopback(options.host))
    throw new UsageProblem("--no-auth serves this machine only; leave --host out, or give a token.")
  if (!options.auth && options.token !== undefined)
    throw new UsageProblem("--no-auth and --token exclude each other.")
  const { openRunServices } = await import("../run/open-run-services.js")
  const {
    journal: _journal,
    port,
    host,
    token,
    auth,
    allowOrigin,
    page,
    maxBody,
    maxOpenRuns,
    rate,
    scripted = false,
    resume = false,
    mcp = false,
    ...services
  } = options
  const given = token ?? (process.env[tokenVariable] || undefined)
  const kept = await openJournal(options, terminal)
  const server = await startServer({
    place,
    host,
    port,
    ...(auth ? (given === undefined ? {} : { token: given }) : { token: null }),
    origins: allowOrigin,
    ...(page === undefined ? {} : { page: await readPage(page) }),
    maxBodyBytes: maxBody,
    maxOpenRuns,
    perSecond: rate,
    scripted,
    resume,
    mcp,
    compileAs: await compileAs(options),
    version,
    journal: kept.journal,
    openServices: openRunServices(services),
  }).catch(orInstall("--mcp needs a package", "@modelcontextprotocol/server"))
  const { paint, paintError } = terminal
  for (const { file, diagnostics } of server.refused)
    terminal.complain(
      `${paintError.warn("warning")}: ${oneLine(`${file} has errors and is not served: ${diagnostics[0]?.message ?? ""}`)}`,
    )
  // Whoever reads that Ctrl-C stops it can press it.
  const stopped = interrupted()
  terminal.print(`${paint.bold("Serving")} ${server.url}`)
  for (const { id, file } of server.workflows)
    terminal.print(paint.dim(`  ${oneLine(id)}  ${oneLine(file)}`))
  if (mcp) terminal.print(`Tools of MCP at ${server.url}/mcp`)
  if (server.token === null) terminal.print(paint.dim("Everybody on this machine may use it."))
  else if (given === undefined) terminal.print(`Token ${server.token}`)
  if (server.resumed > 0)
    terminal.print(
      paint.dim(
        `${server.resumed} interrupted ${server.resumed === 1 ? "run was" : "runs were"} taken up.`,
      ),
    )
  terminal.print(
    paint.dim(
      `Runs are kept in ${kept.place}. Ctrl-C stops the server and leaves them as they are.`,
    ),
  )
  await stopped
  await server.close()
  kept.close()
  return exitCodes.ok
}

async function readPage(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises")
  try {
    return await readFile(file, "utf8")
  } catch {
    throw new UsageProblem(`there is no page ${file}.`)
  }
}

function count(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d{1,10}$/.test(text) || number > most)
      throw new InvalidArgumentError(`It has to be a whole number: 0 to ${most}.`)
    return number
  }
}
