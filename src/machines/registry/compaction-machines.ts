import { compactingLlmAgentConfig } from "../agent/compacting-llm-agent.config.js"
import { compactingLlmAgentKind } from "../agent/compacting-llm-agent.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/**
 * The machine for turns of agents with `compaction`, which summarize their conversation. It
 * replaces the machine with the same name in `coreMachines`, which cannot summarize.
 */
export const compactionMachines: MachineLibrary = {
  hookedLlmAgent: {
    config: asMachineConfig(compactingLlmAgentConfig),
    kind: asAnyMachineKind(compactingLlmAgentKind),
  },
}
