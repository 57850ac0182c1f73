import { machineAgentConfig } from "../machine-agent/machine-agent.config.js"
import { machineAgentKind } from "../machine-agent/machine-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** Library machine of MachineAgents, which run a user's XState machine. */
export const machineAgentMachines: MachineLibrary = {
  machineAgent: { config: literal(machineAgentConfig), kind: erased(machineAgentKind) },
}
