import { workflowAgentConfig } from "../workflow-agent/workflow-agent.config.js"
import { workflowAgentKind } from "../workflow-agent/workflow-agent.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/** Machine of this package for WorkflowAgents, which call other workflows. */
export const workflowAgentMachines: MachineLibrary = {
  workflowAgent: {
    config: asMachineConfig(workflowAgentConfig),
    kind: asAnyMachineKind(workflowAgentKind),
  },
}
