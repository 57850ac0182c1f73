import { conditions, graphs, policies, workflowCalls } from "./features.js"
import { featuresOf } from "./runtime-features.js"

// Bundlers remove a call without effects only if it has this annotation.
/** All features of the runtime. */
export const allFeatures = /* @__PURE__ */ featuresOf([conditions, graphs, policies, workflowCalls])
