import { AgentStatechartsError } from "../../errors.js"
import { describeArgument } from "../data/check-arguments.js"
import { isJsonObject } from "../data/json-object.js"
import type { ConfigProblem } from "../data/problem-text.js"
import { countText, problemText } from "../data/problem-text.js"

/**
 * Checks that the argument `value` of the function `call` is a chart, and not a config or the
 * result of `compile`. Checks only the format version and the presence of the main fields.
 *
 * @throws AgentStatechartsError `chart_invalid`. If the argument is a result of `compile` with
 * errors, the message contains these errors.
 */
export function checkChart(value: unknown, call: string): void {
  if (isJsonObject(value) && "formatVersion" in value) return checkComplete(value)
  const problems = isJsonObject(value) ? problemsOf(value) : null
  if (problems === null) throw notChart(call, describeNoChart(value), fixFor(value, call))
  const errors = problems.filter(({ severity }) => severity === "error")
  throw isJsonObject(value) && value["chart"] !== null
    ? notChart(
        call,
        "the result of compile",
        `Pass the field "chart" of the result: ${call}(compiled.chart).`,
      )
    : notChart(
        call,
        `the result of compile, which has no chart because the config has ${countText(errors, false)}`,
        "Fix the config, compile it again, and pass the field chart.",
        errors,
      )
}

/**
 * Creates the error for an argument that is not a chart. `call` is the name of the called function,
 * and `received` describes the argument. `problems` are the errors of a config that did not
 * compile. The message lists them.
 */
export const notChart = (
  call: string,
  received: string,
  fix: string,
  problems: readonly ConfigProblem[] = [],
  file = "config",
): AgentStatechartsError =>
  new AgentStatechartsError(
    "chart_invalid",
    [
      `${call} needs a chart, but received ${received}. ${fix}`,
      ...problems.map((problem) => `\n${problemText(problem, file)}`),
    ].join("\n"),
  )

const parts = ["machines", "agents", "tools", "settings", "input"]

function checkComplete(chart: Readonly<Record<string, unknown>>): void {
  const version = chart["formatVersion"]
  if (version !== 1)
    throw new AgentStatechartsError(
      "chart_invalid",
      `this chart has the format ${JSON.stringify(version)}, but this version of agent-statecharts reads format 1. Compile the config again.`,
    )
  const broken = parts.find((part) => !isJsonObject(chart[part]))
  if (broken !== undefined)
    throw new AgentStatechartsError(
      "chart_invalid",
      `this chart is incomplete: its field "${broken}" ${Object.hasOwn(chart, broken) ? "is not an object" : "is missing"}. Compile the config again.`,
    )
}

/** Returns the diagnostics if the value is a result of `compile`, or null for any other value. */
const problemsOf = (value: Readonly<Record<string, unknown>>): readonly ConfigProblem[] | null =>
  "chart" in value && Array.isArray(value["diagnostics"])
    ? // Only `compile` returns objects with both fields.
      (value["diagnostics"] as readonly ConfigProblem[])
    : null

const describeNoChart = (value: unknown): string =>
  isJsonObject(value) && !("then" in value)
    ? "an object without formatVersion, such as a workflow config"
    : describeArgument(value)

function fixFor(value: unknown, call: string): string {
  if (value === null)
    return "compile returns the chart null if the config has errors. Print its diagnostics, or call compileOrThrow(config), which throws an error with all of them."
  if (value === undefined) return `Pass the chart: ${call}(compileOrThrow(config)).`
  if (typeof value === "string")
    return `Compile the text of a config first: ${call}(compileOrThrow(text)). If the text is a compiled chart, parse it: ${call}(JSON.parse(text)).`
  if (isJsonObject(value) && "then" in value)
    return "Add await before the expression that returns the chart."
  return `Compile the config first: ${call}(compileOrThrow(config)).`
}
