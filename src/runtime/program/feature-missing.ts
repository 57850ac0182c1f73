import { AgentStatechartsError } from "../../errors.js"

/**
 * Names of the optional features of the runtime. A runner that `createCoreRunner` returns has only
 * the features that are passed to it.
 */
export type FeatureName =
  | "compaction"
  | "conditions"
  | "graphs"
  | "guardrails"
  | "machineAgents"
  | "policies"
  | "waiting"
  | "workflowCalls"

const uses: Readonly<Record<FeatureName, string>> = {
  compaction: "the chart has agents with compaction or preload_memory",
  conditions: "the chart has conditions",
  graphs: "the chart is a graph",
  guardrails: "the chart has agents with guardrails",
  machineAgents: "an agent runs an XState machine",
  policies: "the run has policies",
  waiting: "an agent waits for a time",
  workflowCalls: "an agent calls another workflow, or the run was called by one",
}

export const featureMissing = (feature: FeatureName): AgentStatechartsError =>
  new AgentStatechartsError(
    "feature_missing",
    `${uses[feature]}, but the runner has no feature for them. Add it: import { ${feature} } from "agent-statecharts/runtime/features" and call createCoreRunner({ features: [${feature}] })`,
  )

const featuresByMachine: ReadonlyMap<string, FeatureName> = new Map([
  ["workflowGraph", "graphs"],
  ["taskGraph", "graphs"],
  ["nodeRun", "graphs"],
  ["toolNode", "graphs"],
  ["guardedLlmAgent", "guardrails"],
  ["machineAgent", "machineAgents"],
  ["waitAgent", "waiting"],
  ["workflowAgent", "workflowCalls"],
])

/**
 * Returns the optional feature that provides the built-in machine with this name. Returns null if
 * every runner provides the machine.
 */
export const featureOfMachine = (name: string): FeatureName | null =>
  featuresByMachine.get(name) ?? null
