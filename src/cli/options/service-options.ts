import { Option } from "commander"
import type { HostOptions } from "./host-options.js"
import { serverUrl } from "./server-url.js"
import { parseWholeNumber } from "./whole-number.js"

/** Command-line options that select the models, tools and host functions of a run. */
export interface ServiceOptions extends HostOptions {
  /**
   * Base URL of a server that implements OpenAI's chat completions API. It serves all models that
   * agents reference by name.
   */
  readonly openai?: string
  /**
   * Scenario file. A scripted service in this process answers all HTTP calls, and the other calls
   * that the scenario lists.
   */
  readonly scripted?: string
  /** File with secrets. Default: secrets are read from environment variables. */
  readonly secrets?: string
  readonly maxResponseBytes?: number
  /** Module that exports host functions, models and tools by name. */
  readonly services?: string
  /** File with the prices of the models. */
  readonly prices?: string
  /**
   * Cassette file to which the calls of the run are recorded. The option `cassette` names a file
   * from which calls are replayed.
   */
  readonly record?: string
  readonly cassette?: string
  /** Whether MCP servers may be started as local processes. */
  readonly allowProcesses?: boolean
}

/**
 * Creates the option `--openai`. `models` describes in the help text how the config refers to
 * models.
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
