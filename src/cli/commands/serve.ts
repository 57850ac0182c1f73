import type { Command } from "commander"
import { repeatableOption } from "../options/repeatable-option.js"
import { requirePath } from "../files/missing-path.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { withHostOptions } from "../options/host-options.js"
import { counted } from "../format/counted.js"
import { orInstall } from "../errors/missing-package.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"
import { thrownMessage } from "../../errors.js"
import { dueTimeText } from "../../server/schedules/due-time-text.js"
import { readScheduleFile } from "../files/read-schedule-file.js"
import { readWebhookFile } from "../files/read-webhook-file.js"
import { openJournal } from "../run/open-journal.js"
import { resumption } from "../run/resumption.js"
import { parseAge } from "../options/parse-age.js"
import { portNumber } from "../options/port-number.js"
import { wholeNumberBetween } from "../options/whole-number.js"
import { withJournal } from "../options/run-options.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { ServingOptions } from "../options/serving-options.js"
import { withServingOptions } from "../options/serving-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { compileAs } from "../workflow/compile-options.js"
import { UsageProblem } from "../errors/usage-problem.js"

interface ServeCommandOptions extends ServingOptions {
  readonly port: number
  readonly host: string
  readonly token?: string
  /** Whether clients must send a token. The option `--no-auth` sets it to false. */
  readonly auth: boolean
  readonly allowOrigin: readonly string[]
  readonly page?: string
  readonly maxBody: number
  readonly maxOpenRuns: number
  readonly rate: number
  readonly scripted?: boolean
  readonly resume?: boolean
  readonly mcp?: boolean
  readonly retain?: number
  readonly schedules?: string
  readonly webhooks?: string
  readonly drain: number
  readonly telemetry?: boolean
}

const tokenVariable = "AGENT_STATECHARTS_TOKEN"

const manual = `
Clients can start every workflow in the folder over HTTP. GET /v1/workflows lists the workflows, GET /openapi.json describes the routes.
Clients send the token as Authorization: Bearer. Without --token, the token is ${tokenVariable}. If that variable is not set, the server
prints a random token. Runs are kept when the server stops; --resume resumes the interrupted runs.

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
        "serve workflows over HTTP: runs, events, AG-UI, A2A, MCP and Graph Compose's queries",
      )
      .argument("[path]", "workflow file or folder with workflows", ".")
      .option("--port <n>", "port to listen on; 0 selects a free port", portNumber, 0)
      .option(
        "--host <address>",
        "address to listen on; other machines can connect unless it is a loopback address",
        "127.0.0.1",
      )
      .option(
        "--token <text>",
        `token that clients must send (default: ${tokenVariable}, otherwise a random token)`,
      )
      .option("--no-auth", "do not require a token; only allowed with a loopback address")
      .addOption(
        repeatableOption(
          "--allow-origin <origin>",
          "accept requests from pages of this origin",
        ).default([], "none"),
      )
      .option("--page <file>", "HTML page to serve at / (default: none)")
      .option(
        "--max-body <bytes>",
        "maximum size of a request body",
        wholeNumberBetween(0, 1024 ** 3),
        1024 * 1024,
      )
      .option(
        "--max-open-runs <n>",
        "maximum number of runs that are not finished",
        wholeNumberBetween(0, 1_000_000),
        10_000,
      )
      .option(
        "--rate <n>",
        "maximum requests per second from one address; 0 disables the limit",
        wholeNumberBetween(0, 1_000_000),
        100,
      )
      .option(
        "--scripted",
        "use the scenario.json in a workflow's folder as responses of its models and tools",
      )
      .option(
        "--retain <age>",
        "delete runs some time after their end, such as 30d (default: keep all runs)",
        parseAge,
      )
      .option(
        "--schedules <file>",
        "JSON file with schedules that start runs at certain times (default: none)",
      )
      .option(
        "--webhooks <file>",
        "JSON file with webhooks that receive events of runs, or answer requests (default: none)",
      )
      .option(
        "--drain <seconds>",
        "time to finish calls of models and tools before the server stops",
        wholeNumberBetween(0, 3_600),
        0,
      )
      .option("--resume", "resume interrupted runs, also of other servers that stop")
      .option(
        "--telemetry",
        "record OpenTelemetry spans and metrics of all runs, with the SDK that NODE_OPTIONS loads",
      )
      .option(
        "--mcp",
        "also serve the workflows as MCP tools at /mcp (over stdio: agent-statecharts mcp)",
      ),
  )
    .addHelpText("after", manual)
    .action(async (path: string, options: ServeCommandOptions) =>
      exit(await serve(path, options, terminal, program.version() ?? "")),
    )
}

async function serve(
  path: string,
  options: ServeCommandOptions,
  terminal: Terminal,
  version: string,
): Promise<ExitCode> {
  requirePath(path)
  const { isLoopback, startServer } = await import("../../server/start-server.js")
  if (!options.auth && !isLoopback(options.host))
    throw new UsageProblem(
      "--no-auth requires a loopback address. Remove --host, or remove --no-auth and pass a token.",
    )
  if (!options.auth && options.token !== undefined)
    throw new UsageProblem("--no-auth and --token cannot be combined. Remove one of them.")
  const { openRunServices } = await import("../services/open-run-services.js")
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
    retain,
    schedules: scheduleFile,
    webhooks: webhookFile,
    drain,
    telemetry = false,
    ...services
  } = options
  const ownToken = token ?? (process.env[tokenVariable] || undefined)
  const { openPolicies } = await import("../services/open-policies.js")
  const policies = await openPolicies(options)
  const schedules = scheduleFile === undefined ? [] : await readScheduleFile(scheduleFile)
  const webhooks = webhookFile === undefined ? null : await readWebhookFile(webhookFile)
  const { paint, paintError } = terminal
  const warn = (text: string): void =>
    terminal.printError(`${paintError.warning("warning")}: ${text}`)
  const onRun = telemetry
    ? await (await import("../run/record-telemetry.js")).recordTelemetry(warn)
    : null
  const store = await openJournal(options, terminal)
  const server = await startServer({
    path,
    host,
    port,
    ...(auth ? (ownToken === undefined ? {} : { token: ownToken }) : { token: null }),
    origins: allowOrigin,
    ...(page !== undefined && { page: await readPage(page) }),
    maxBodyBytes: maxBody,
    maxOpenRuns,
    perSecond: rate,
    scripted,
    resume: resume ? resumption((text) => terminal.print(paint.dim(text)), warn) : null,
    mcp,
    drainMs: drain * 1_000,
    schedules,
    onScheduleFailed: ({ name }, dueAt, error) =>
      warn(
        oneLine(
          `the schedule ${name} could not start the run of ${dueTimeText(dueAt)}: ${thrownMessage(error)}`,
        ),
      ),
    compileAs: await compileAs(options),
    version,
    journal: store.journal,
    sessions: store.sessions,
    memory: store.memory,
    responseCache: store.responseCache,
    ...(onRun !== null && { onRun }),
    ...(webhooks !== null && { webhooks }),
    deliveryStore: store.deliveries,
    pushHosts: {
      ...(options.allowHost !== undefined && { allowedHosts: options.allowHost }),
      allowPrivateAddresses: options.allowPrivateAddresses === true,
    },
    onDeliveryFailed: (error) =>
      warn(oneLine(`events could not be delivered to webhooks: ${thrownMessage(error)}`)),
    openServices: openRunServices(services, policies),
    ...(retain !== undefined && {
      retention: {
        ageMs: retain,
        onDeleted: (count) =>
          terminal.print(paint.dim(`Deleted ${counted(count, "run")} (--retain).`)),
        onFailed: (error) =>
          warn(oneLine(`ended runs could not be deleted: ${thrownMessage(error)}`)),
      },
    }),
  }).catch(
    orInstall("--mcp requires a package that is not installed", "@modelcontextprotocol/server"),
  )
  for (const { file, diagnostics } of server.refused)
    warn(oneLine(`${file} has errors and is not served: ${diagnostics[0]?.message ?? ""}`))
  if (server.workflows.length === 0)
    warn(
      oneLine(
        `${path} contains no workflow without errors, so the server has nothing to run. Add a workflow, then start the server again.`,
      ),
    )
  // Handle Ctrl-C before the output that mentions it.
  const stopped = untilInterrupted(terminal)
  terminal.print(`${paint.bold("Serving")} ${server.url}`)
  for (const { id, file } of server.workflows)
    terminal.print(paint.dim(`  ${oneLine(id)}  ${oneLine(file)}`))
  for (const { name, workflow } of schedules)
    terminal.print(paint.dim(`  schedule ${oneLine(name)}  ${oneLine(workflow)}`))
  for (const { name, url } of webhooks?.outgoing ?? [])
    terminal.print(paint.dim(`  webhook ${name}  ${oneLine(url.host)}`))
  for (const { name } of webhooks?.incoming ?? [])
    terminal.print(paint.dim(`  webhook ${name}  POST /v1/hooks/${name}`))
  if (mcp) terminal.print(`MCP tools at ${server.url}/mcp`)
  if (server.token === null)
    terminal.print(
      paint.dim("No token is required. Every user of this machine can use the server."),
    )
  else if (ownToken === undefined) terminal.print(`Token ${server.token}`)
  if (server.resumed > 0)
    terminal.print(paint.dim(`Resumed ${counted(server.resumed, "interrupted run")}.`))
  if (server.interrupted > 0 && !resume)
    terminal.print(
      `${server.interrupted} ${server.interrupted === 1 ? "run is" : "runs are"} interrupted. To resume them, start the server with --resume.`,
    )
  terminal.print(
    paint.dim(
      `Runs are stored in ${store.location}. Press Ctrl-C to stop the server. Open runs can be resumed later.`,
    ),
  )
  await stopped
  if (drain > 0)
    terminal.print(paint.dim(`Stopping. Calls in flight have ${drain} seconds to finish.`))
  await server.close()
  await store.close()
  return exitCodes.ok
}

async function readPage(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises")
  try {
    return await readFile(file, "utf8")
  } catch {
    throw new UsageProblem(`the page ${file} cannot be read. Check the path of --page.`)
  }
}
