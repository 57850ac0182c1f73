import {
  checkOptions,
  checkText,
  describeArgument,
  refuseArgument,
} from "../../machines/data/check-arguments.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CallServices } from "../host/call-services.js"
import { checkServices } from "../host/check-services.js"

/**
 * Validates the options of a runner. `known` contains the names of all allowed options.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkRunnerOptions(
  options: CallServices & { readonly journal?: unknown; readonly sessions?: unknown },
  known: readonly string[],
): void {
  checkOptions(options, {
    call: "createRunner",
    example: '{ journal: jsonlJournal("runs") }',
    known,
  })
  checkServices(options)
  const { journal, sessions } = options
  if (!hasMethods(journal, ["create", "append", "load"]))
    refuseArgument(
      `journal must be a journal, but is ${describeArgument(journal)}. Pass for example jsonlJournal("runs") or sqliteJournal("runs.sqlite").`,
    )
  if (!hasMethods(sessions, ["load"]))
    refuseArgument(
      `sessions must be a session store, but is ${describeArgument(sessions)}. Pass for example memorySessionStore() or sqliteSessionStore("sessions.sqlite").`,
    )
}

const hasMethods = (value: unknown, methods: readonly string[]): boolean =>
  value === undefined ||
  (isJsonObject(value) && methods.every((method) => typeof value[method] === "function"))

/**
 * Validates the options of `runner.start`. `known` contains the names of all allowed options.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkStartOptions(
  options: { readonly runId?: unknown; readonly session?: unknown } | undefined,
  known: readonly string[],
): void {
  if (options === undefined) return
  checkOptions(options, { call: "runner.start", example: '{ prompt: "Hello" }', known })
  const { runId, session } = options
  if (runId !== undefined)
    checkText(runId, "runId", 'Pass a name such as "order-17", or omit runId for a random id.')
  if (session !== undefined && !isJsonObject(session))
    refuseArgument(
      `session must be an object such as { sessionId: "s1", userId: "ann" }, but is ${describeArgument(session)}. Pass {} to create a new session.`,
    )
}

/**
 * Validates the run id and the options of a method of a runner. `example` shows valid options in
 * the error message.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkRunArguments(
  method: "resume" | "fork" | "adopt",
  runId: unknown,
  options: unknown,
  example: string,
): void {
  checkText(runId, `the run id of runner.${method}`, "Pass run.runId of the run.")
  if (options === undefined && method === "fork")
    refuseArgument(
      `runner.fork needs options, but received ${describeArgument(options)}. Pass the number of records to keep: runner.fork(runId, ${example}).`,
    )
  if (options !== undefined && !isJsonObject(options))
    refuseArgument(
      `the options of runner.${method} must be an object such as ${example}, but are ${describeArgument(options)}`,
    )
}
