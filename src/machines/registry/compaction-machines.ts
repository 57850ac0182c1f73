import { compactingLlmAgentConfig } from "../agent/compacting-llm-agent.config.js"
import { compactingLlmAgentKind } from "../agent/compacting-llm-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/**
 * The machine of turns that can summarize their conversation. It replaces the core machine of the
 * same name, which executes the same turns without summaries.
 */
export const compactionMachines: MachineLibrary = {
  hookedLlmAgent: {
    config: literal(compactingLlmAgentConfig),
    kind: erased(compactingLlmAgentKind),
  },
}
