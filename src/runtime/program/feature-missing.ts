import { AgentStatechartsError } from "../../errors.js"

/**
 * The optional parts of the runtime. A runner of `createCoreRunner` has only those that are passed
 * to it.
 */
export type FeatureName = "conditions" | "graphs" | "policies" | "workflowCalls"

const uses: Readonly<Record<FeatureName, string>> = {
  conditions: "the chart has conditions",
  graphs: "the chart is a graph",
  policies: "the run has policies",
  workflowCalls: "an agent calls another workflow, or the run was called by one",
}

export const featureMissing = (feature: FeatureName): AgentStatechartsError =>
  new AgentStatechartsError(
    "feature_missing",
    `${uses[feature]}, but the runner has no feature for them. Add it: import { ${feature} } from "agent-statecharts/runtime/features" and call createCoreRunner({ features: [${feature}] })`,
  )

const graphMachines = ["workflowGraph", "taskGraph", "nodeRun", "toolNode"]

/**
 * Returns the optional feature that a library machine belongs to, or null if it does not belong to
 * one.
 */
export const featureOfMachine = (name: string): FeatureName | null =>
  graphMachines.includes(name) ? "graphs" : name === "workflowAgent" ? "workflowCalls" : null
