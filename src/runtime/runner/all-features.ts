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

// Bundlers remove a call without side effects only if it has this annotation.
/** All optional features of the runtime, for runners that must execute every kind of chart. */
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
