import type { Command } from "commander"
import type { HostOptions } from "./host-options.js"
import type { JournalOption } from "./run/run-options.js"

/** What every command takes that goes on running the workflows of a folder: where runs are kept, and who answers their calls. */
export interface ServingOptions extends JournalOption, HostOptions {
  readonly services?: string
  readonly openai?: string
  readonly secrets?: string
  readonly prices?: string
  readonly allowProcesses?: boolean
}

/** Gives a command the options for who answers the calls of its runs. */
export const withServingOptions = (command: Command): Command =>
  command
    .option(
      "--services <module>",
      "an ES module that exports host code, models and tools by name (services, models, tools)",
    )
    .option(
      "--openai <url>",
      "let a server that speaks OpenAI's chat completions API answer for models by name: Ollama, vLLM, LiteLLM",
    )
    .option("--secrets <file>", "secrets as JSON or as lines NAME=value")
    .option(
      "--prices <file>",
      "what a million tokens of each model cost, as JSON; else priceOf of --services",
    )
    .option("--allow-processes", "let MCP servers be programs that a run starts")
