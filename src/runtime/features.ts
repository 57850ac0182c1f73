export {
  compaction,
  conditions,
  graphs,
  guardrails,
  machineAgents,
  policies,
  waiting,
  workflowCalls,
} from "./runner/features.js"
export type { RuntimeFeature } from "./runner/runtime-features.js"
