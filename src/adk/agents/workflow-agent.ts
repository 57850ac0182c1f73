import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { WorkflowAgentData } from "../common/agent-options.js"
import { workflowAgentData } from "../common/agent-options.js"
import { definedOptions } from "../common/defined-options.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The constructor options of a {@link WorkflowAgent} (docs/config.md#workflowagent). */
export interface WorkflowAgentOptions
  extends Pick<BaseAgentConfig, "name" | "description">, WorkflowAgentData {
  /** A compiled chart, or the name of a workflow in the runner's option `workflows`. */
  readonly workflow: AgentChart | string
}

/**
 * An agent that runs another workflow as a child run with its own journal entry
 * (docs/calling-workflows.md). Inside an `AgentTool`, it runs the workflow each time a model calls
 * the tool. This class does not exist in ADK.
 *
 * @example
 * const research = new WorkflowAgent({ name: "research", workflow: researchChart, outputKey: "facts" })
 */
export class WorkflowAgent extends ChartedAgent {
  private readonly options: WorkflowAgentOptions

  constructor(config: WorkflowAgentOptions) {
    super(config, workflowAgentData)
    this.options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "WorkflowAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...definedOptions(this.options, workflowAgentData),
    }
  }
}
