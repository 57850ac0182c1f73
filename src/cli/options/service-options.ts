import type { HostOptions } from "./host-options.js"

/** Command-line options that select the models, tools and host functions of a run. */
export interface ServiceOptions extends HostOptions {
  /**
   * Base URL of a server with the chat completions API. It serves all models that agents reference
   * by name.
   */
  readonly openai?: string
  /**
   * Scenario file. A scripted service in this process answers the calls that it lists, and all HTTP
   * calls.
   */
  readonly scripted?: string
  /** Secrets file. Default: environment variables. */
  readonly secrets?: string
  readonly maxResponseBytes?: number
  /** Module that exports host functions, models and tools by name. */
  readonly services?: string
  /** Price list of the models. */
  readonly prices?: string
  /** Cassette file to record calls to, or to replay them from. */
  readonly record?: string
  readonly cassette?: string
  /** Whether MCP servers may be started as local processes. */
  readonly allowProcesses?: boolean
}
