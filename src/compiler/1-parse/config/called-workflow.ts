import type { remoteAgent } from "../../agent-types/remote-agent.js"
import type { workflowAgent } from "../../agent-types/workflow-agent.js"
import type { ParsedFields } from "./agent-config.js"
import type { ReadFrom } from "./read-from.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"

/**
 * The workflow that a WorkflowAgent calls: a compiled chart, or a workflow that is registered by
 * name.
 */
export interface CalledWorkflow {
  /**
   * The registered name of the workflow. If `chart` is set, it is the key of the chart in the field
   * `workflows` of the calling chart.
   */
  readonly name: string
  /** Compiled chart of the workflow. Null if the workflow is registered with the runner by name. */
  readonly chart: AgentChart | null
}

/**
 * A function that compiles the workflow in another file of the config's folder. `written` is the
 * path as it occurs in the config. If the compilation fails, the function reports the problems and
 * returns null.
 */
export type CompileFile = (written: string, location: ConfigLocation) => CalledWorkflow | null

/** The parsed config of an agent that runs on another server and is called over A2A. */
export interface ParsedRemoteAgent extends ParsedFields<typeof remoteAgent.fields>, ReadFrom {
  readonly type: "RemoteA2AAgent"
}

/** The parsed config of an agent that calls another workflow. */
export interface ParsedWorkflowAgent
  extends Omit<ParsedFields<typeof workflowAgent.fields>, "workflow" | "workflowFile">, ReadFrom {
  readonly type: "WorkflowAgent"
  /**
   * The workflow that the agent calls. Null if the workflow has errors, which are already reported.
   */
  readonly target: CalledWorkflow | null
}

/** The parsed config of an agent that calls another workflow, or an agent on another server. */
export type ParsedCall = ParsedWorkflowAgent | ParsedRemoteAgent
