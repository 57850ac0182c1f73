import type { Command } from "commander"
import type { HostOptions } from "./host-options.js"
import type { PolicyOptions } from "./policy-options.js"
import { withPolicies } from "./policy-options.js"
import type { JournalOption } from "./run-options.js"
import { openaiOption, secretsOption } from "./service-options.js"

/**
 * Command-line options of commands that serve workflows to other programs. They select the storage
 * of runs and the services that answer calls.
 */
export interface ServingOptions extends JournalOption, HostOptions, PolicyOptions {
  readonly services?: string
  readonly openai?: string
  readonly secrets?: string
  readonly prices?: string
  readonly allowProcesses?: boolean
}

/** Adds the command-line options for the services and policies of served workflows to a command. */
export const withServingOptions = (command: Command): Command =>
  withPolicies(command)
    .option(
      "--services <module>",
      "ES module that exports host functions, models and tools by name (services, models, tools)",
    )
    .addOption(openaiOption("named"))
    .addOption(secretsOption())
    .option(
      "--prices <file>",
      "JSON file with the price of a million tokens of each model (default: priceOf exported by --services)",
    )
    .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
