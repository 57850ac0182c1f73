import { waitAgentConfig, waitAgentKind } from "../wait/wait-agent.js"
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/** Library machine of WaitAgents, which wait for a duration or until a time. */
export const waitAgentMachines: MachineLibrary = {
  waitAgent: { config: literal(waitAgentConfig), kind: erased(waitAgentKind) },
}
