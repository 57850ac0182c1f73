import { AgentStatechartsError } from "../../errors.js"
import type { ErrorCode } from "../../errors.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { escapeIndented } from "../terminal/untrusted-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "./usage-problem.js"

/**
 * Codes of errors that are caused by invalid user input. These errors exit with code 2. All other
 * codes are failures at run time.
 */
const invalidInput: readonly ErrorCode[] = [
  "argument_invalid",
  "config_invalid",
  "chart_invalid",
  "chart_differs",
  "host_refused",
  "cassette_invalid",
  "input_refused",
  "request_unknown",
  "scenario_invalid",
  "secret_missing",
  "process_refused",
  "run_exists",
  "run_finished",
  "run_owned",
  "user_active",
  "run_unknown",
  "journal_corrupt",
]

/**
 * Prints an error to stderr as `code: message` and returns the exit code. With `debug`, also prints
 * the stack trace.
 */
export function reportProblem(error: unknown, terminal: Terminal, debug: boolean): ExitCode {
  const { printError, paintError } = terminal
  const head = (code: string, message: string): void =>
    printError(`${paintError.error(code)}: ${escapeIndented(message)}`)
  if (error instanceof UsageProblem) head("error", error.message)
  else if (error instanceof AgentStatechartsError) head(error.code, error.message)
  else head("internal", error instanceof Error ? error.message : String(error))
  if (debug)
    printError(
      error instanceof Error ? escapeIndented(stackOf(error)) : escapeIndented(String(error)),
    )
  else if (!(error instanceof UsageProblem || error instanceof AgentStatechartsError))
    printError("  This is an internal error. Add --debug to see the stack trace.")
  const invalid =
    error instanceof UsageProblem ||
    (error instanceof AgentStatechartsError && invalidInput.includes(error.code))
  return invalid ? exitCodes.invalid : exitCodes.failed
}

const stackOf = ({ stack, cause, message }: Error): string =>
  `${stack ?? message}${cause instanceof Error ? `\ncaused by ${stackOf(cause)}` : ""}`
