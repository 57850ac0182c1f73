import { waitAgentConfig, waitAgentKind } from "../wait/wait-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** The machine of agents that wait for a time. */
export const waitAgentMachines: MachineLibrary = {
  waitAgent: { config: literal(waitAgentConfig), kind: erased(waitAgentKind) },
}
