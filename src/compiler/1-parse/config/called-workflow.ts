import type { workflowAgent } from "../../agent-types/workflow-agent.js"
import type { ParsedFields } from "./agent-config.js"
import type { ReadFrom } from "./read-from.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** The workflow that a WorkflowAgent calls. */
export interface CalledWorkflow {
  /** Its registered name, or its key in `workflows` of the chart. Such a key starts with the path of a file. */
  readonly name: string
  /** Its chart; null if the workflow is registered by name. */
  readonly chart: AgentChart | null
}

/**
 * Compiles the workflow in a file of the config's folder. If this fails, reports the problems and
 * returns null.
 */
export type CompileFile = (written: string, at: ConfigLocation) => CalledWorkflow | null

/** An agent that calls another workflow. */
export interface ParsedWorkflowAgent
  extends Omit<ParsedFields<typeof workflowAgent.fields>, "workflow" | "workflowFile">, ReadFrom {
  readonly type: "WorkflowAgent"
  /** The workflow that the agent calls; null if it has errors. */
  readonly target: CalledWorkflow | null
}
