import type { PathScript } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { MarkAnswer } from "./directed-services.js"

/**
 * Options for a run that follows the path of a counterexample: the chart, the path, and the answers
 * to requests that are not on the path.
 */
export interface DirectOptions {
  readonly chart: AgentChart
  readonly prompt: string
  readonly script: PathScript
  /**
   * Names of the models whose services declare that they can send signals, such as
   * `waitForUserInput`.
   */
  readonly models: readonly string[]
  /** Returns the tool names that the toolset `service` lists. */
  readonly listsOf: (service: string) => readonly string[]
  /**
   * Returns the token usage to report for each response of an agent's model. null: the usage is
   * irrelevant to the policy.
   */
  readonly usageOf: (agent: string, model: string | null) => JsonObject | null
  /** Returns the decision of a policy engine for a tool, if the path contains no decision. */
  readonly decisionOf: (service: string, tool: string) => string
  /** What models do after the end of the counterexample's path. Default: `answer`. */
  readonly afterwards?: Afterwards
  /**
   * Whether models that are not on the path wait for the user, instead of ending their turn, until
   * the path has ended.
   */
  readonly othersWait?: boolean
  /**
   * Adds the marker of a `noFlow` policy to answers of models, tools and functions. Default: no
   * changes.
   */
  readonly mark?: MarkAnswer
  /**
   * Returns a person's answer that replaces the answer in the path. undefined: the answer is not
   * replaced.
   */
  readonly answerOf?: (request: PendingRequest) => unknown
}

/**
 * What models do after the end of the counterexample's path. `answer`: they respond with text.
 * `repeat`: they call tools until a limit of the run is reached. `fail`: all calls of models and
 * tools fail.
 */
type Afterwards = "answer" | "repeat" | "fail"
