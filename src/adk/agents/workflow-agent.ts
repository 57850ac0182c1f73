import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { BudgetFields } from "../../machines/contract/budget.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The options of a {@link WorkflowAgent} (docs/config.md#workflowagent). */
export interface WorkflowAgentOptions extends Pick<BaseAgentConfig, "name" | "description"> {
  /** A compiled chart, or the name of a workflow in `workflows` of the runner. */
  readonly workflow: AgentChart | string
  /** The message that starts the child run: a template with `{key}`. Default: the last user message. */
  readonly prompt?: string
  /** The initial state of the child run: state keys, or a state key for each key of the child run. */
  readonly input?: readonly string[] | Readonly<Record<string, string>>
  /** State key in which the result of the child run is saved. */
  readonly outputKey?: string
  /** The value of `outputKey`: the final text of the child run, or its state. Default: the text. */
  readonly output?: "text" | "state"
  /** Maximum number of model calls of the child run. */
  readonly maxModelCalls?: number
  /** Maximum duration of the child run, for example `10m`. */
  readonly maxDuration?: string
  /** Limit for the model calls of the child run. */
  readonly budget?: BudgetFields
}

const fields = [
  "workflow",
  "prompt",
  "input",
  "outputKey",
  "output",
  "maxModelCalls",
  "maxDuration",
  "budget",
] as const satisfies readonly (keyof WorkflowAgentOptions)[]

/**
 * Calls another workflow as a child run with its own journal entry (docs/calling-workflows.md). As
 * the agent of an `AgentTool`, it calls the workflow whenever a model calls the tool. ADK does not
 * have this class.
 *
 * @example
 * const research = new WorkflowAgent({ name: "research", workflow: researchChart, outputKey: "facts" })
 */
export class WorkflowAgent extends ChartedAgent {
  readonly #options: WorkflowAgentOptions

  constructor(config: WorkflowAgentOptions) {
    super(config, fields)
    this.#options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const given = fields.flatMap((field) => {
      const value = this.#options[field]
      return value === undefined ? [] : [[field, value] as const]
    })
    return {
      agentClass: "WorkflowAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...Object.fromEntries(given),
    }
  }
}
