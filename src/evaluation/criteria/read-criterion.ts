import { createSuggest, didYouMean } from "../../machines/data/suggest.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { pointerToken } from "../../machines/data/json-pointer.js"
import type { LocatedObject, LocatedValue } from "../reading/located-value.js"
import { entriesOf, fieldOf, isMissing, snakeCase, typedReader } from "../reading/located-value.js"
import type { MistakeList } from "../reading/problem.js"
import { criterionTypes, metricNames } from "./criterion-types.js"
import type { Criterion, CriterionType } from "./criterion.js"
import { customMetric } from "./custom-metric.js"

/** For each custom metric, the name of the function that computes it. */
export type CustomMetricNames = Readonly<Record<string, string>>

/**
 * Reads evaluation criteria from a JSON object. Reports all mistakes and skips invalid criteria.
 */
export const readCriteria = (
  criteria: LocatedObject,
  custom: CustomMetricNames,
  mistakes: MistakeList,
): readonly Criterion[] =>
  entriesOf(criteria).flatMap(([name, located]) =>
    isMissing(located) ? [] : (readCriterion(name, located, custom, mistakes) ?? []),
  )

function readCriterion(
  name: string,
  located: LocatedValue,
  custom: CustomMetricNames,
  mistakes: MistakeList,
): Criterion | null {
  const { pointer } = located
  if (metricNames.some((metric) => metric === name)) {
    mistakes.add(
      "criterion_invalid",
      pointer,
      `${name} is a metric, which has no threshold`,
      "Remove it. The report has all metrics. To limit a number, use run_bounds_v1.",
    )
    return null
  }
  const functionName = Object.hasOwn(custom, name) ? custom[name] : undefined
  const type =
    functionName !== undefined
      ? customType(name, functionName)
      : Object.hasOwn(criterionTypes, name)
        ? criterionTypes[name]
        : undefined
  if (type === undefined) {
    const names = [...Object.keys(criterionTypes), ...Object.keys(custom)]
    mistakes.add(
      "criterion_unknown",
      pointer,
      `there is no criterion ${JSON.stringify(name)}`,
      `${didYouMean(createSuggest()(name, names))}Criteria: ${names.join(", ")}.`,
    )
    return null
  }
  const options = isJsonObject(located.value) ? { value: located.value, pointer } : null
  if (options === null && typeof located.value !== "number") {
    mistakes.add(
      "criterion_invalid",
      pointer,
      `must be a threshold or an object, but is ${JSON.stringify(located.value)}`,
      'Write a number from 0 to 1, or an object such as { "threshold": 1 }.',
    )
    return null
  }
  const threshold = readThreshold(
    options === null ? located : fieldOf(options, "threshold"),
    type,
    mistakes,
  )
  if (options !== null) checkOptionNames(options, type, mistakes)
  const read = typedReader(mistakes, "criterion_invalid")
  const scorer = type.read({ name, options: options ?? { value: {}, pointer }, read, mistakes })
  return {
    name,
    threshold,
    file: mistakes.file,
    pointer,
    hasAnyScore: functionName !== undefined,
    scorer,
  }
}

const customType = (name: string, functionName: string): CriterionType => ({
  options: {},
  ignoresOtherOptions: true,
  hasAnyThreshold: true,
  read: () => customMetric(name, functionName),
})

function readThreshold(
  located: LocatedValue,
  { hasAnyThreshold = false }: CriterionType,
  mistakes: MistakeList,
): number {
  const { value, pointer } = located
  if (isMissing(located)) return 1
  if (
    typeof value === "number" &&
    Number.isFinite(value) &&
    (hasAnyThreshold || (value >= 0 && value <= 1))
  )
    return value
  mistakes.add(
    "criterion_invalid",
    pointer,
    `the threshold must be ${hasAnyThreshold ? "a number" : "a number from 0 to 1"}, but is ${JSON.stringify(value)}`,
    hasAnyThreshold ? "Write a number." : "Write a number from 0 to 1, such as 0.8.",
  )
  return 1
}

function checkOptionNames(
  { value, pointer }: LocatedObject,
  { options, ignoresOtherOptions = false }: CriterionType,
  mistakes: MistakeList,
): void {
  if (ignoresOtherOptions) return
  const known = ["threshold", ...Object.keys(options)]
  for (const key of Object.keys(value))
    if (!known.includes(snakeCase(key)))
      mistakes.add(
        "criterion_invalid",
        `${pointer}/${pointerToken(key)}`,
        `there is no option ${JSON.stringify(key)}`,
        `${didYouMean(createSuggest()(key, known))}Options: ${known.join(", ")}.`,
      )
}
