import { Option } from "commander"
import type { HostOptions } from "./host-options.js"
import { serverUrl } from "./server-url.js"
import { parseWholeNumber } from "./whole-number.js"

/** Command-line options that select the models, tools and host functions of a run. */
export interface ServiceOptions extends HostOptions {
  /**
   * Base URL of a server that implements OpenAI's chat completions API. The server serves all
   * models that agents reference by name.
   */
  readonly openai?: string
  /**
   * Path of a scenario file with scripted responses. A service in this process answers all HTTP
   * calls, and all other calls that the scenario lists.
   */
  readonly scripted?: string
  /** File with secrets. By default, secrets are read from environment variables. */
  readonly secrets?: string
  readonly maxResponseBytes?: number
  /** Path of a module that exports host functions, models and tools by name. */
  readonly services?: string
  /** JSON file with the prices of the models. */
  readonly prices?: string
  /**
   * Cassette file to which the calls of the run are recorded. The option `cassette` replays calls
   * from such a file.
   */
  readonly record?: string
  readonly cassette?: string
  /** Whether MCP servers may be started as local processes. */
  readonly allowProcesses?: boolean
}

/**
 * Creates the command-line option `--openai`. The help text describes the models in the workflow
 * config with the word "named" or "values", depending on the parameter `models`.
 */
export const openaiOption = (models: "named" | "values"): Option =>
  new Option(
    "--openai <url>",
    `URL of a server that implements OpenAI's chat completions API (Ollama, vLLM, LiteLLM); serves all models that are ${models} in the config`,
  ).argParser(serverUrl)

export const secretsOption = (): Option =>
  new Option(
    "--secrets <file>",
    "file with secrets, as JSON or as lines NAME=value (default: environment variables AGENT_SECRET_<name>)",
  )

export const maxResponseBytesOption = (): Option =>
  new Option(
    "--max-response-bytes <n>",
    "maximum size of a service response; a larger response fails the call (default: 10 MiB)",
  ).argParser(parseWholeNumber)
