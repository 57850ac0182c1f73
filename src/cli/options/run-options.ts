import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import { withHostOptions } from "./host-options.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { withServices } from "./workflow-options.js"
import type { PolicyOptions } from "./policy-options.js"
import { withPolicies } from "./policy-options.js"
import type { ServiceOptions } from "./service-options.js"
import { maxResponseBytesOption, openaiOption, secretsOption } from "./service-options.js"
import { shellWord } from "../terminal/untrusted-text.js"

/** The command-line option `--journal`, which selects where runs are stored. */
export interface JournalOption {
  /** Folder, SQLite file or PostgreSQL URL. False means that runs are not stored. */
  readonly journal?: string | false
}

/** Command-line options that are common to all commands that execute a run. */
export interface RunOptions extends ServiceOptions, JournalOption, PolicyOptions {
  readonly answers?: string
  readonly json?: boolean
  readonly quiet?: boolean
  /**
   * Port of the studio that shows the run in the browser. True selects any free port. If absent, no
   * studio is started.
   */
  readonly inspect?: number | true
  /**
   * Port of the relay that sends the states of the run to external viewers. True selects any free
   * port. If absent, no relay is started.
   */
  readonly inspectRelay?: number | true
}

export const withJournal = (command: Command): Command =>
  command.option(
    "--journal <location>",
    "where runs are stored: a folder, a file.sqlite, or the URL of a PostgreSQL database (default: .agent-statecharts/runs)",
  )

/** Adds the command-line options that select models, tools and host functions to a command. */
export function withServiceOptions(command: Command): Command {
  return withHostOptions(withServices(command))
    .option(
      "--scripted <file>",
      "scenario file with scripted responses for models, HTTP calls and the registered tools that it names",
    )
    .addOption(openaiOption("values"))
    .addOption(secretsOption())
    .option(
      "--prices <file>",
      "JSON file with the price of a million tokens of each model (default: priceOf exported by --services)",
    )
    .addOption(maxResponseBytesOption())
}

/** Adds the command-line options for services, answers and output to a command. */
export function withRunOptions(command: Command): Command {
  return withPolicies(withServiceOptions(withJournal(command)))
    .option(
      "--answers <file>",
      'JSON file with answers to requests, in order, such as [{"approve":true}]',
    )
    .option(
      "--record <file>",
      "record the requests and responses of models and tools to this cassette file",
    )
    .option("--cassette <file>", "replay all responses of models and tools from this cassette file")
    .option(
      "--inspect [port]",
      "show the machines of the run in the studio on this port, and print its address (default: a free port)",
      portNumber,
    )
    .option(
      "--inspect-relay [port]",
      "start a relay for the viewers of @statelyai/inspect and @xstate/inspect (default: a free port)",
      portNumber,
    )
    .option("--json", "print only the events, as one line of JSON each")
    .option("-q, --quiet", "print only the final text of the run")
}

/**
 * Returns only the option `journal`, for commands such as `runs list` that accept no other option
 * of a run.
 */
export const journalOption = ({ journal }: JournalOption): JournalOption =>
  journal === undefined ? {} : { journal }

/**
 * Formats the options that the command `resume` needs again, as command-line arguments, for example
 * ` --services services.mjs`.
 */
export function repeatOptions(options: RunOptions): string {
  const selected: readonly (readonly [string, unknown])[] = [
    ["--journal", options.journal],
    ["--scripted", options.scripted],
    ["--services", options.services],
    ["--openai", options.openai],
    ["--cassette", options.cassette],
    ["--secrets", options.secrets],
    ["--prices", options.prices],
    ["--max-response-bytes", options.maxResponseBytes],
  ]
  const values = selected
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => ` ${name} ${shellWord(String(value))}`)
  const hosts = (options.allowHost ?? []).map((host) => ` --allow-host ${shellWord(host)}`)
  const flags = [
    options.allowTemplateHosts === true ? " --allow-template-hosts" : "",
    options.allowPrivateAddresses === true ? " --allow-private-addresses" : "",
    options.allowProcesses === true ? " --allow-processes" : "",
    options.enforce === true ? " --enforce" : "",
  ]
  const policies = (options.policy ?? []).map((file) => ` --policy ${shellWord(file)}`)
  return [...values, ...hosts, ...policies, ...flags].join("")
}

/**
 * Options that select services. A user must repeat them to resume a run, because the run would
 * otherwise call other services.
 */
const serviceSelectors = ["scripted", "services", "openai", "cassette"] as const

/**
 * Returns the service options that are stored with a run. They contain file names and URLs, but no
 * secrets.
 */
export const aboutRun = (options: RunOptions): { readonly services: string } => {
  const { journal: _journal, ...selected } = options
  return {
    services: serviceSelectors.some((name) => selected[name] !== undefined)
      ? repeatOptions(selected).trim()
      : "",
  }
}

/** Throws a usage error if a run was started with service options, but is resumed without them. */
export function refuseOtherServices(
  about: Readonly<Record<string, unknown>> | undefined,
  options: RunOptions,
): void {
  const services = about?.["services"]
  if (
    typeof services !== "string" ||
    services === "" ||
    serviceSelectors.some((name) => options[name] !== undefined)
  )
    return
  throw new UsageProblem(
    `the run was started with ${services}. Pass the same options again, or select other services with --scripted, --services, --openai or --cassette.`,
  )
}

/**
 * Parses the option `--at`, which is the number of journal records before a position in the run.
 */
export function position(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError(
      "The value must be a number of records: a whole number, 0 or greater.",
    )
  return Number(text)
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new InvalidArgumentError("The value must be a port from 1 to 65535.")
  return port
}
