import { compileCondition } from "../../expression/index.js"
import { compactionMachines } from "../../machines/registry/compaction-machines.js"
import { graphMachines } from "../../machines/registry/graph-machines.js"
import { guardrailMachines } from "../../machines/registry/guardrail-machines.js"
import { machineAgentMachines } from "../../machines/registry/machine-agent-machines.js"
import { waitAgentMachines } from "../../machines/registry/wait-agent-machines.js"
import { workflowAgentMachines } from "../../machines/registry/workflow-agent-machines.js"
import { performMachine } from "../host/user-machine/perform-machine.js"
import { policyGate } from "../policies/policy-gate.js"
import { abandonedRuns } from "./abandoned-run.js"
import { CalledRuns } from "./called-runs.js"
import type { FeatureParts, RuntimeFeature } from "./runtime-features.js"

const compactionParts: FeatureParts = {
  name: "compaction",
  machines: compactionMachines,
  summarizes: true,
}

const conditionParts: FeatureParts = { name: "conditions", compileCondition }

const graphParts: FeatureParts = { name: "graphs", machines: graphMachines }

const guardrailParts: FeatureParts = { name: "guardrails", machines: guardrailMachines }

const machineAgentParts: FeatureParts = {
  name: "machineAgents",
  machines: machineAgentMachines,
  performMachine,
}

const policyParts: FeatureParts = { name: "policies", policyGate }

const waitingParts: FeatureParts = { name: "waiting", machines: waitAgentMachines }

const workflowCallParts: FeatureParts = {
  name: "workflowCalls",
  machines: workflowAgentMachines,
  childRuns: { createCalledRuns: (opener) => new CalledRuns(opener), abandonedRuns },
}

/**
 * Optional feature for agents with `compaction`, which summarizes long conversations, and for the
 * tool `preload_memory`. Pass it to `createCoreRunner`.
 */
export const compaction: RuntimeFeature = compactionParts

/**
 * Optional feature that evaluates conditions in a config, such as `when` and `loopExitCondition`.
 * Pass it to `createCoreRunner`.
 */
export const conditions: RuntimeFeature = conditionParts

/**
 * Optional feature that executes the workflow graphs of ADK and of Graph Compose. Pass it to
 * `createCoreRunner`.
 */
export const graphs: RuntimeFeature = graphParts

/**
 * Optional feature that executes guardrails, which check the inputs and the final texts of agents.
 * Pass it to `createCoreRunner`.
 */
export const guardrails: RuntimeFeature = guardrailParts

/**
 * Optional feature that executes MachineAgents, which run XState machines that you register. Pass
 * it to `createCoreRunner`.
 */
export const machineAgents: RuntimeFeature = machineAgentParts

/**
 * Optional feature that checks policies. It reports violations, and rejects calls if policies are
 * enforced. Pass it to `createCoreRunner`.
 */
export const policies: RuntimeFeature = policyParts

/**
 * Optional feature that executes WaitAgents, which wait for a duration or until a time. Pass it to
 * `createCoreRunner`.
 */
export const waiting: RuntimeFeature = waitingParts

/**
 * Optional feature that executes WorkflowAgents, which call other workflows. Pass it to
 * `createCoreRunner`.
 */
export const workflowCalls: RuntimeFeature = workflowCallParts
