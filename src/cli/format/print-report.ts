import { counterKeys } from "../../machines/data/system-keys.js"
import type { TokenUsage } from "../../machines/contract/budget.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult, RunStatus, Usage } from "../../machines/contract/run-event.js"
import type { Paint } from "../terminal/paint.js"
import type { Terminal } from "../terminal/terminal.js"
import { counted } from "./counted.js"
import { answerExamples, requestLines, requestTitle } from "./format-request.js"
import { costText } from "../../serving/cost-text.js"
import { clip, duration, padTo, textWidth } from "../terminal/column-text.js"
import { escapeIndented, oneLine, safeName, safeText } from "../terminal/untrusted-text.js"

/** Suggested fixes with command-line options, by error code. They are printed below the error. */
const suggestions: Readonly<Record<string, string>> = {
  secret_missing: "Pass it with --secrets FILE, or set the variable AGENT_SECRET_<name>.",
  service_missing:
    "On the command line, pass --services MODULE with a module that exports them by name (services, models, tools), --openai URL with a model server, or --scripted FILE with scripted responses.",
}

/** Maximum number of failed tool calls that are printed after a run. */
const maxFailures = 5

/**
 * Prints the result of a run with its status, usage, error, models, failed tool calls, state and
 * final text. `models` contains the usage of each model. It is null if each agent called only its
 * own model.
 */
export function printReport(
  { status, text, state, error, usage, toolFailures = [] }: RunResult,
  models: Readonly<Record<string, Usage>> | null,
  elapsedMs: number,
  { print, paint, size }: Terminal,
): void {
  const facts = [
    counted(usage.modelCalls, "model call"),
    counted(usage.toolCalls, "tool call"),
    ...consumption(usage),
  ]
  print("")
  print(
    `${statusText(status, paint)} ${paint.dim(`${status === "completed" ? "in" : "after"} ${duration(elapsedMs)}: ${facts.join(", ")}`)}`,
  )
  if (error !== null)
    print(
      `  ${paint.error(error.code)}: ${escapeIndented(error.message)}${error.agent === null ? "" : ` (agent ${oneLine(error.agent)})`}`,
    )
  const suggestion =
    error === null || !Object.hasOwn(suggestions, error.code) ? undefined : suggestions[error.code]
  if (suggestion !== undefined) print(`  ${suggestion}`)
  if (models !== null) {
    print(`\n${paint.bold("Models")}`)
    for (const [name, used] of Object.entries(models)) {
      const label = name === "" ? "default model" : safeName(name)
      print(`  ${label}: ${[counted(used.modelCalls, "call"), ...consumption(used)].join(", ")}`)
    }
  }
  if (toolFailures.length > 0) {
    print(`\n${paint.warning(counted(toolFailures.length, "failed tool call"))}`)
    for (const { tool, agent, message } of toolFailures.slice(0, maxFailures))
      print(`  ${safeName(tool)} (${safeName(agent)}): ${clip(oneLine(message), size().columns)}`)
    if (toolFailures.length > maxFailures) print(`  ... ${toolFailures.length - maxFailures} more`)
  }
  const entries = Object.entries(state).filter(([key]) => !counterKeys.includes(key))
  if (entries.length > 0) {
    const names = Math.min(Math.max(...entries.map(([key]) => textWidth(oneLine(key)))), 30)
    print(`\n${paint.bold("State")}`)
    for (const [key, value] of entries)
      print(
        `  ${padTo(clip(oneLine(key), names), names)}  ${clip(oneLine(JSON.stringify(value)), Math.max(40, size().columns - names - 5))}`,
      )
  }
  if (text !== null && text !== "")
    print(`\n${paint.bold("Text")}\n${safeText(text).replace(/^(?=.)/gm, "  ")}`)
}

function consumption({ cached, ...used }: Usage): readonly string[] {
  if (cached === undefined) return tokensAndCost(used)
  const saved = tokensAndCost(cached).join(", ")
  const calls = `${cached.modelCalls} from the cache`
  return [...tokensAndCost(used), saved === "" ? calls : `${calls} (saved ${saved})`]
}

const tokensAndCost = ({ inputTokens, outputTokens, cost }: TokenUsage): readonly string[] => [
  ...(inputTokens + outputTokens === 0 ? [] : [`${inputTokens} tokens in`, `${outputTokens} out`]),
  ...(cost === undefined ? [] : [`cost ${costText(cost)}`]),
]

function statusText(status: RunStatus, paint: Paint): string {
  switch (status) {
    case "completed":
      return paint.success("✔ completed")
    case "failed":
      return paint.error("✖ failed")
    case "limit":
      return paint.error("■ stopped at a limit")
    case "cancelled":
      return paint.warning("■ cancelled")
    case "running":
    case "waiting":
      return paint.warning("? waiting")
  }
}

/**
 * Prints each pending request of a run, with example entries for an `--answers` file and with the
 * shell commands that answer it.
 */
export function printPending(
  pending: readonly PendingRequest[],
  commands: (request: PendingRequest) => readonly string[],
  { printError, paintError }: Terminal,
): void {
  printError(
    `\nThe run waits for ${pending.length > 1 ? `${pending.length} answers` : "an answer"}:`,
  )
  for (const request of pending) {
    printError(
      `  ${paintError.bold(requestTitle(request))} ${paintError.dim(`(${safeName(request.path)}, ${request.kind})`)}`,
    )
    for (const line of requestLines(request)) printError(`    ${line}`)
    printError(`    answer with ${answerExamples(request).join(" or ")}`)
    for (const command of commands(request)) printError(`    ${command}`)
  }
  printError(
    "To answer, run the command in a terminal, or pass a JSON list of answers with --answers FILE.",
  )
}
