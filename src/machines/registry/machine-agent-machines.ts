import { machineAgentConfig } from "../machine-agent/machine-agent.config.js"
import { machineAgentKind } from "../machine-agent/machine-agent.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/** Machine of this package for MachineAgents, which run XState machines of users. */
export const machineAgentMachines: MachineLibrary = {
  machineAgent: {
    config: asMachineConfig(machineAgentConfig),
    kind: asAnyMachineKind(machineAgentKind),
  },
}
