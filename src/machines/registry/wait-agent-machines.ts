import { waitAgentConfig, waitAgentKind } from "../wait/wait-agent.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/** Machine of this package for WaitAgents, which wait for a duration or until a time. */
export const waitAgentMachines: MachineLibrary = {
  waitAgent: { config: asMachineConfig(waitAgentConfig), kind: asAnyMachineKind(waitAgentKind) },
}
