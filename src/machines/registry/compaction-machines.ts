import { compactingLlmAgentConfig } from "../agent/compacting-llm-agent.config.js"
import { compactingLlmAgentKind } from "../agent/compacting-llm-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/**
 * Library machine for turns that can summarize their conversation. It replaces the core machine
 * with the same name, which runs the same turns but cannot summarize.
 */
export const compactionMachines: MachineLibrary = {
  hookedLlmAgent: {
    config: literal(compactingLlmAgentConfig),
    kind: erased(compactingLlmAgentKind),
  },
}
