import { compactionMachines } from "./compaction-machines.js"
import { coreMachines } from "./core-machines.js"
import { graphMachines } from "./graph-machines.js"
import { guardrailMachines } from "./guardrail-machines.js"
import { machineAgentMachines } from "./machine-agent-machines.js"
import type { MachineLibrary } from "./machine-definition.js"
import { waitAgentMachines } from "./wait-agent-machines.js"
import { workflowAgentMachines } from "./workflow-agent-machines.js"

// Bundlers remove a call without effects only if it has this annotation.
/** All machines of this package, by the names under which charts invoke them. */
export const libraryMachines: MachineLibrary = /* @__PURE__ */ Object.assign(
  {},
  coreMachines,
  compactionMachines,
  guardrailMachines,
  machineAgentMachines,
  workflowAgentMachines,
  waitAgentMachines,
  graphMachines,
)
