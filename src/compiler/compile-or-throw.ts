import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import { notChart } from "../machines/contract/check-chart.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { countText, problemText } from "../machines/data/problem-text.js"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import type { CompileOptions } from "./compile.js"
import { compile } from "./compile.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import type { StateValueOf } from "./state-value/state-value-of.js"

/**
 * Compiles a workflow config like `compile` and returns its chart. If the config has errors, throws
 * one error whose message contains all diagnostics, in the format of `agent-statecharts check`. Use
 * `compile` to get the diagnostics as data, or the warnings of a valid config.
 *
 * @throws AgentStatechartsError `config_invalid`
 * @example
 * const chart = compileOrThrow(await readFile("workflow.json", "utf8"), { file: "workflow.json" })
 * const { text } = await createRunner().start(chart, { prompt: "Hello" }).result
 */
export function compileOrThrow<const Source extends string | object | ConfigFolder>(
  source: Source,
  options: CompileOptions = {},
): AgentChart<StateValueOf<Source>> {
  const { chart, diagnostics } = compile(source, options)
  if (chart !== null) return chart
  const reported = withoutHints(diagnostics)
  const file = options.file ?? "config"
  throw new AgentStatechartsError(
    "config_invalid",
    `${file} has ${countText(reported, false)}:\n\n${reported.map((each) => problemText(each, each.file ?? file)).join("\n\n")}`,
  )
}

/**
 * Throws if a value is a workflow config instead of a compiled chart. `call` is the name of the
 * called function for the error message.
 *
 * @throws AgentStatechartsError `chart_invalid` with the diagnostics of the config
 */
export function refuseConfig(value: unknown, call: string): void {
  if (!isConfig(value)) return
  const reported = withoutHints(compile(value).diagnostics)
  const problems = countText(reported, false)
  throw notChart(
    call,
    `a workflow config, which is not compiled${problems === "" ? "" : ` and has ${problems}`}`,
    `Compile it first: ${call}(compileOrThrow(config)).`,
    reported,
  )
}

const withoutHints = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity !== "hint")

/**
 * Field names by which an object is recognized as a config. Neither charts nor results of `compile`
 * have these fields.
 */
const configFields = ["rootAgentId", "agents", "agent_class", "agentClass", "nodes", "sub_agents"]

const isConfig = (value: unknown): value is object =>
  isJsonObject(value) &&
  !("formatVersion" in value) &&
  configFields.some((field) => Object.hasOwn(value, field))
