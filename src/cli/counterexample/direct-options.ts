import type { PathScript } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { MarkAnswer } from "./directed-services.js"

/** The chart, the path, and what happens outside of the path. */
export interface DirectOptions {
  readonly chart: AgentChart
  readonly prompt: string
  readonly script: PathScript
  /** Names of the models whose services declare that they can send signals. */
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
  /** Whether the models that are not on the path wait for the user until the end of the path. */
  readonly othersWait?: boolean
  /** Changes the answers of models, tools and functions. Default: no changes. */
  readonly mark?: MarkAnswer
  /** Returns what a person answers instead. undefined: what the path contains. */
  readonly answerOf?: (request: PendingRequest) => unknown
}

/** `repeat`: models call tools until a limit of the run is reached. `fail`: their calls fail. */
type Afterwards = "answer" | "repeat" | "fail"
