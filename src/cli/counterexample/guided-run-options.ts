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
export interface GuidedRunOptions {
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
   * Returns the token usage to include in the simulated responses of an agent's model. Returns null
   * to include no usage, for example because the policy does not depend on it.
   */
  readonly usageOf: (agent: string, model: string | null) => JsonObject | null
  /**
   * Returns the default decision of a policy engine about a tool call, such as `ALLOW`. It applies
   * if the counterexample contains no decision.
   */
  readonly decisionOf: (service: string, tool: string) => string
  /**
   * Behavior of models and tools after the last step of the counterexample. By default (`answer`),
   * models respond with text.
   */
  readonly afterwards?: Afterwards
  /**
   * Whether models wait for the user instead of ending their turn in calls outside the
   * counterexample. Applies until the last step of the counterexample, so that agents do not end
   * too early.
   */
  readonly othersWait?: boolean
  /**
   * Changes each answer of a model, tool or host function before the run receives it. Checks of
   * `noFlow` policies use it to add a marker text, which shows where data flows. By default,
   * answers do not change.
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
