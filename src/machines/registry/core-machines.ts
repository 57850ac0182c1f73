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
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** Machines of this package that every runner needs. Charts invoke them by these names. */
export const coreMachines: MachineLibrary = {
  llmAgent: { config: literal(llmAgentConfig), kind: erased(llmAgentKind) },
  humanAgent: { config: literal(humanAgentConfig), kind: erased(humanAgentKind) },
  hookedLlmAgent: { config: literal(hookedLlmAgentConfig), kind: erased(hookedLlmAgentKind) },
  hookedModel: { config: literal(hookedModelConfig), kind: erased(hookedModelKind) },
  hookList: { config: literal(hookListConfig), kind: erased(hookListKind) },
  hostCode: { config: literal(hostFunctionConfig), kind: erased(hostFunctionKind) },
  fan: { config: literal(fanConfig), kind: erased(fanKind) },
}
