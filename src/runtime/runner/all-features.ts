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
/** All optional features of the runtime, for runners that execute every kind of chart. */
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
