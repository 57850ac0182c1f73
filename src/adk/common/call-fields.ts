// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates
// this file.

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { BudgetFields } from "../../machines/contract/budget.js"
import type { ActivityConfig } from "./setting-fields.js"

/** The config fields of a WorkflowAgent. */
export interface WorkflowAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /**
   * Name of the workflow, which the runner registers under `workflows`. A program can also pass a
   * compiled chart.
   */
  readonly workflow?: string | AgentChart
  /**
   * Path of the file with the workflow, relative to this file and inside its folder. The file may
   * have either dialect.
   */
  readonly workflowFile?: string
  /**
   * The message that starts the child run. A template: `{key}` inserts a value of the session
   * state. Default: the last user message.
   */
  readonly prompt?: string
  /**
   * The initial state of the child run. A list of state keys copies these keys. An object such as
   * `{"topic": "subject"}` sets `topic` of the child run to the value of the state key `subject`. A
   * graph receives the object as its `context`.
   */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  /** State key in which the result of the child run is saved. */
  readonly outputKey?: string
  /**
   * The result that is saved under `outputKey`. `"text"`: the final text of the child run.
   * `"state"`: its whole state as an object. Default: `"text"`.
   */
  readonly output?: "text" | "state"
  /**
   * Maximum number of model calls of the child run. If the called workflow has a lower maximum, the
   * lower one applies. Default: that of the workflow.
   */
  readonly maxModelCalls?: number
  /**
   * Maximum duration of the child run, including the time that people take to answer. A longer
   * child run is cancelled, and the agent fails with `deadline_passed`.
   */
  readonly maxDuration?: string
  /** Maximum tokens, cost or time of the model calls of the child run. */
  readonly budget?: BudgetFields
}

/** The config fields of a RemoteA2AAgent. */
export interface RemoteA2AAgentFields {
  /** The id of the agent. */
  readonly id: string
  /** The description of the agent. Models that can hand over to the agent receive it. */
  readonly description?: string
  /**
   * URL of the agent card. If the path does not end with `.json`, `/.well-known/agent-card.json` is
   * added. The URL can contain templates.
   */
  readonly agentCard: string
  /**
   * URL of the agent. Required if the agent card names a URL on another host, because headers are
   * only sent to hosts that the config names. Default: the URL in the agent card.
   */
  readonly url?: string
  /**
   * Headers of all requests, such as `authorization`. The values can contain templates and secrets.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /**
   * The message to the agent. A template: `{key}` inserts a value of the session state. Default:
   * the last user message.
   */
  readonly prompt?: string
  /**
   * State keys that are sent with the message as structured data: a list, or an object with a state
   * key for each field.
   */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  /** State key in which the result of the agent is saved. */
  readonly outputKey?: string
  /**
   * The result that is saved under `outputKey`. `"text"`: the text of the artifacts. `"data"`:
   * their structured data. `"artifacts"`: the list of artifacts. Default: `"text"`.
   */
  readonly output?: "text" | "data" | "artifacts"
  /**
   * Timeouts and retries. `startToCloseTimeout` limits each HTTP request, but not the duration of
   * the task. Default: one attempt.
   */
  readonly activityConfig?: ActivityConfig
  /**
   * Maximum duration of the task, including the time that people take to answer. A longer task is
   * cancelled, and the agent fails with `deadline_passed`.
   */
  readonly maxDuration?: string
}
