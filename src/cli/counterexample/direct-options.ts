import type { PathScript } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { MarkAnswer } from "./directed-services.js"

/**
 * Options for running a chart along the path of a counterexample: the chart, the path, and the
 * answers to requests that are not on the path.
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
  /** Returns the names of the tools that the toolset `service` lists. */
  readonly listsOf: (service: string) => readonly string[]
  /**
   * Returns the token usage of each response of an agent's model. null: the usage is irrelevant.
   */
  readonly usageOf: (agent: string, model: string | null) => JsonObject | null
  /** Returns the decision of a policy engine for a tool, if the path contains no decision. */
  readonly decisionOf: (service: string, tool: string) => string
  /** What models do after the end of the path. Default: `answer`. */
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
 * `answer`: models respond with text. `repeat`: they call tools until a limit of the run is
 * reached. `fail`: their calls and those of tools fail.
 */
type Afterwards = "answer" | "repeat" | "fail"
