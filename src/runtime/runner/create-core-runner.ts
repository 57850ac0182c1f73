import { checkOptions, refuseArgument } from "../../machines/data/check-arguments.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CoreRunner } from "./core-runner.js"
import { coreRunnerParts } from "./core-runner.js"
import { type RunnerOptions, runnerOptionNames } from "./runner-options.js"
import { featuresOf, type RuntimeFeature } from "./runtime-features.js"

/** Options of `createCoreRunner`. */
export interface CoreRunnerOptions extends RunnerOptions {
  /**
   * Optional features of the runtime that the charts need. A chart that needs a feature that is not
   * listed here is rejected with `feature_missing`. Default: none.
   */
  readonly features?: readonly RuntimeFeature[]
}

/**
 * Creates a runner for web pages whose code must stay small. It supports only the optional features
 * that you pass to it, and it cannot fork or adopt runs.
 *
 * @example
 * const runner = createCoreRunner({ features: [conditions], models })
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function createCoreRunner(options: CoreRunnerOptions = {}): CoreRunner {
  checkOptions(options, {
    call: "createCoreRunner",
    example: "{ features: [conditions] }",
    known: [...Object.keys(runnerOptionNames), "features"],
  })
  const { features = [], ...others } = options
  if (!Array.isArray(features) || !features.every(isFeature))
    refuseArgument(
      'features must be a list of features, such as [conditions]. Import them from "agent-statecharts/runtime/features".',
    )
  return coreRunnerParts(others, featuresOf(features), () => null).runner
}

const isFeature = (feature: unknown): boolean =>
  isJsonObject(feature) && typeof feature["name"] === "string"
