import { coreMachines } from "./core-machines.js"
import { graphMachines } from "./graph-machines.js"
import type { MachineLibrary } from "./machine-definition.js"
import { workflowAgentMachines } from "./workflow-agent-machines.js"

// Bundlers remove a call without effects only if it has this annotation.
/** Library machines, to which all charts can refer by name. */
export const libraryMachines: MachineLibrary = /* @__PURE__ */ Object.assign(
  {},
  coreMachines,
  workflowAgentMachines,
  graphMachines,
)
