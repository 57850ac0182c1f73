import { machineAgentConfig } from "../machine-agent/machine-agent.config.js"
import { machineAgentKind } from "../machine-agent/machine-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** The machine of agents that run an XState machine of a user. */
export const machineAgentMachines: MachineLibrary = {
  machineAgent: { config: literal(machineAgentConfig), kind: erased(machineAgentKind) },
}
