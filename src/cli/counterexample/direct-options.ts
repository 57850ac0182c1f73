import type { PathScript } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { MarkAnswer } from "./directed-services.js"

/**
 * Options for a simulated run that follows a counterexample (the steps of a run that violates a
 * policy). They contain the chart, the answers of the counterexample, and defaults for all other
 * calls.
 */
export interface DirectOptions {
  readonly chart: AgentChart
  readonly prompt: string
  readonly script: PathScript
  /**
   * Names of the models whose services declare that they can send control signals, such as
   * `waitForUserInput`.
   */
  readonly models: readonly string[]
  /** Returns the names of the tools that the toolset with this service name lists. */
  readonly listsOf: (service: string) => readonly string[]
  /**
   * Returns the token usage that each response of an agent's model reports. Returns null if the
   * policy does not depend on token usage.
   */
  readonly usageOf: (agent: string, model: string | null) => JsonObject | null
  /**
   * Returns the decision of a policy engine about a tool call, such as `ALLOW`, if the
   * counterexample contains no decision.
   */
  readonly decisionOf: (service: string, tool: string) => string
  /** Behavior of models and tools after the last step of the counterexample. Default: `answer`. */
  readonly afterwards?: Afterwards
  /**
   * Whether models that are not part of the counterexample wait for the user instead of ending
   * their turn, until the last step of the counterexample.
   */
  readonly othersWait?: boolean
  /**
   * Adds the marker text of a `noFlow` policy to the answers of models, tools and host functions.
   * By default, answers do not change.
   */
  readonly mark?: MarkAnswer
  /**
   * Returns a person's answer to a request, which replaces the answer in the counterexample.
   * Returns undefined to keep the answer of the counterexample.
   */
  readonly answerOf?: (request: PendingRequest) => unknown
}

/**
 * Behavior of models and tools after the last step of a counterexample. With `answer`, models
 * respond with text. With `repeat`, models call tools until a limit of the run is reached. With
 * `fail`, all calls of models and tools fail.
 */
type Afterwards = "answer" | "repeat" | "fail"
