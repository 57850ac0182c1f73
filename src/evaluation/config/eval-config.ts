import { thrownMessage } from "../../errors.js"
import type { Criterion } from "../criteria/criterion.js"
import { type CustomMetricNames, readCriteria } from "../criteria/read-criterion.js"
import type { EvaluationProblem, MistakeList } from "../reading/problem.js"
import { mistakesOf } from "../reading/problem.js"
import type { LocatedObject, TypedReader } from "../reading/located-value.js"
import { readField } from "../reading/fields.js"
import { entriesOf, typedReader } from "../reading/located-value.js"
import { codeFields, configFields, criteriaFields, metricFields } from "./config-fields.js"

/** Config of an evaluation. It contains the criteria that score the cases. */
export interface EvalConfig {
  readonly file: string
  readonly criteria: readonly Criterion[]
  /** For each custom metric, the name of the function that computes it. */
  readonly customMetrics: CustomMetricNames
}

/**
 * Parses an ADK file with evaluation criteria (`test_config.json`). Never throws. If the file has
 * mistakes, `config` is null and `problems` describes the mistakes.
 */
export function readEvalConfig(
  text: string,
  { file }: { readonly file: string },
): { readonly config: EvalConfig | null; readonly problems: readonly EvaluationProblem[] } {
  const { config, problems } = parseEvalConfig(text, file)
  return { config: problems.length === 0 ? config : null, problems }
}

/**
 * Parses an ADK file with evaluation criteria. Returns the valid fields and criteria even if the
 * file has mistakes, which `problems` describes.
 */
export function parseEvalConfig(
  text: string,
  file: string,
): { readonly config: EvalConfig; readonly problems: readonly EvaluationProblem[] } {
  const mistakes = mistakesOf(file)
  const config = read(text, mistakes) ?? { file, criteria: [], customMetrics: {} }
  return { config, problems: mistakes.all }
}

/**
 * Returns the config for eval sets without a config file. It has the same default criteria as ADK.
 */
export const defaultEvalConfig = (): EvalConfig =>
  parseEvalConfig(
    '{"criteria": {"tool_trajectory_avg_score": 1, "response_match_score": 0.8}}',
    "the default criteria",
  ).config

function read(text: string, mistakes: MistakeList): EvalConfig | null {
  const { file } = mistakes
  const reader = typedReader(mistakes, "criterion_invalid")
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch (error) {
    mistakes.add(
      "criterion_invalid",
      "",
      `${file} is not JSON: ${thrownMessage(error)}`,
      'Write {"criteria": {"response_match_score": 0.8}}.',
    )
    return null
  }
  const root = reader.requiredObject({ value, pointer: "" })
  if (root === null) return null
  const customMetrics = readCustomMetrics(root, reader)
  const own = readField(reader, root, configFields, "x_agent_statecharts")
  const criteria = [root, own].flatMap((located) => {
    const object = located === null ? null : readField(reader, located, criteriaFields, "criteria")
    return object === null ? [] : readCriteria(object, customMetrics, mistakes)
  })
  return { file, criteria: withoutReplaced(criteria), customMetrics }
}

/**
 * Removes criteria with duplicate names. A later criterion replaces an earlier criterion of the
 * same name, at the position of the earlier criterion.
 */
export function withoutReplaced(criteria: readonly Criterion[]): readonly Criterion[] {
  return [...new Map(criteria.map((criterion) => [criterion.name, criterion])).values()]
}

/**
 * Reads the function name of each custom metric, which is the last segment of `code_config.name`.
 * For example, the function name of `metrics.short_reply` is `short_reply`.
 */
function readCustomMetrics(root: LocatedObject, reader: TypedReader): CustomMetricNames {
  const metrics = readField(reader, root, configFields, "custom_metrics")
  return Object.fromEntries(
    (metrics === null ? [] : entriesOf(metrics)).flatMap(([name, located]) => {
      const metric = reader.requiredObject(located)
      const code = metric === null ? null : readField(reader, metric, metricFields, "code_config")
      const path = code === null ? null : readField(reader, code, codeFields, "name")
      return path === null ? [] : [[name, path.slice(path.lastIndexOf(".") + 1)] as const]
    }),
  )
}
