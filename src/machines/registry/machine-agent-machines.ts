import { machineAgentConfig } from "../machine-agent/machine-agent.config.js"
import { machineAgentKind } from "../machine-agent/machine-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** Machine of this package for MachineAgents, which run XState machines of users. */
export const machineAgentMachines: MachineLibrary = {
  machineAgent: { config: literal(machineAgentConfig), kind: erased(machineAgentKind) },
}
