import {
  compaction,
  conditions,
  graphs,
  guardrails,
  machineAgents,
  policies,
  waiting,
  workflowCalls,
} from "./features.js"
import { featuresOf } from "./runtime-features.js"

// Bundlers remove a call without effects only if it has this annotation.
/** All features of the runtime. */
export const allFeatures = /* @__PURE__ */ featuresOf([
  compaction,
  conditions,
  graphs,
  guardrails,
  machineAgents,
  policies,
  waiting,
  workflowCalls,
])
