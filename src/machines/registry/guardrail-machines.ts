import { guardedLlmAgentConfig } from "../agent/guarded-llm-agent.config.js"
import { guardedLlmAgentKind } from "../agent/guarded-llm-agent.js"
import { guardedModelConfig } from "../agent/guarded-model.config.js"
import { guardedModelKind } from "../agent/guarded-model.js"
import { guardrailConfig } from "../guardrails/guardrail.config.js"
import { guardrailKind } from "../guardrails/guardrail.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/**
 * Machines of this package that only agents with guardrails need. Charts invoke them by these
 * names.
 */
export const guardrailMachines: MachineLibrary = {
  guardedLlmAgent: {
    config: asMachineConfig(guardedLlmAgentConfig),
    kind: asAnyMachineKind(guardedLlmAgentKind),
  },
  guardedModel: {
    config: asMachineConfig(guardedModelConfig),
    kind: asAnyMachineKind(guardedModelKind),
  },
  guardrail: { config: asMachineConfig(guardrailConfig), kind: asAnyMachineKind(guardrailKind) },
}
