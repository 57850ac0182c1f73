import { compileCondition } from "../../expression/index.js"
import { graphMachines } from "../../machines/registry/graph-machines.js"
import { workflowAgentMachines } from "../../machines/registry/workflow-agent-machines.js"
import { policyGate } from "../policies/policy-gate.js"
import { abandonedRuns } from "./abandoned-run.js"
import { CalledRuns } from "./called-runs.js"
import type { FeatureParts, RuntimeFeature } from "./runtime-features.js"

const conditionParts: FeatureParts = { name: "conditions", compileCondition }

const graphParts: FeatureParts = { name: "graphs", machines: graphMachines }

const policyParts: FeatureParts = { name: "policies", policyGate }

const workflowCallParts: FeatureParts = {
  name: "workflowCalls",
  machines: workflowAgentMachines,
  childRuns: { createCalledRuns: (opener) => new CalledRuns(opener), abandonedRuns },
}

/** Evaluates conditions, such as `when` and `loopExitCondition`. */
export const conditions: RuntimeFeature = conditionParts

/** Executes graphs of ADK and of Graph Compose. */
export const graphs: RuntimeFeature = graphParts

/** Checks policies: reports violations, and refuses calls if policies are enforced. */
export const policies: RuntimeFeature = policyParts

/** Executes WorkflowAgents, which call other workflows. */
export const workflowCalls: RuntimeFeature = workflowCallParts
