import { fanConfig } from "../containers/fan.config.js"
import { fanKind } from "../containers/fan.js"
import { hookListConfig, hookListKind } from "../host-functions/hook-list.js"
import { hookedLlmAgentConfig } from "../agent/hooked-llm-agent.config.js"
import { hookedLlmAgentKind } from "../agent/hooked-llm-agent.js"
import { hookedModelConfig, hookedModelKind } from "../agent/hooked-model.js"
import { hostFunctionKind } from "../host-functions/host-function.js"
import { hostFunctionConfig } from "../host-functions/host-function.config.js"
import { humanAgentConfig, humanAgentKind } from "../human/human-agent.js"
import { llmAgentConfig } from "../agent/llm-agent.config.js"
import { llmAgentKind } from "../agent/llm-agent.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/** Machines of this package that every runner needs. Charts invoke them by these names. */
export const coreMachines: MachineLibrary = {
  llmAgent: { config: asMachineConfig(llmAgentConfig), kind: asAnyMachineKind(llmAgentKind) },
  humanAgent: { config: asMachineConfig(humanAgentConfig), kind: asAnyMachineKind(humanAgentKind) },
  hookedLlmAgent: {
    config: asMachineConfig(hookedLlmAgentConfig),
    kind: asAnyMachineKind(hookedLlmAgentKind),
  },
  hookedModel: {
    config: asMachineConfig(hookedModelConfig),
    kind: asAnyMachineKind(hookedModelKind),
  },
  hookList: { config: asMachineConfig(hookListConfig), kind: asAnyMachineKind(hookListKind) },
  hostCode: {
    config: asMachineConfig(hostFunctionConfig),
    kind: asAnyMachineKind(hostFunctionKind),
  },
  fan: { config: asMachineConfig(fanConfig), kind: asAnyMachineKind(fanKind) },
}
