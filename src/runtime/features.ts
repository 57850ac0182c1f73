export { conditions, graphs, policies, workflowCalls } from "./runner/features.js"
export type { RuntimeFeature } from "./runner/runtime-features.js"
