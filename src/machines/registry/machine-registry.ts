import type { AgentChart } from "../contract/agent-chart.js"
import type { ChartMachine } from "../contract/chart-machine.js"
import { fanConfig } from "../containers/fan.config.js"
import { fanKind } from "../containers/fan.js"
import { hookListConfig, hookListKind } from "../host-functions/hook-list.js"
import { hookedLlmAgentConfig, hookedLlmAgentKind } from "../agent/hooked-llm-agent.js"
import { hookedModelConfig, hookedModelKind } from "../agent/hooked-model.js"
import { hostFunctionKind } from "../host-functions/host-function.js"
import { hostFunctionConfig } from "../host-functions/host-function.config.js"
import { humanAgentConfig, humanAgentKind } from "../human/human-agent.js"
import { llmAgentConfig } from "../agent/llm-agent.config.js"
import { llmAgentKind } from "../agent/llm-agent.js"
import { machineAgentConfig } from "../machine-agent/machine-agent.config.js"
import { machineAgentKind } from "../machine-agent/machine-agent.js"
import { orchestrationKind } from "../containers/orchestration.js"
import type { SessionState } from "../data/session-state.js"
import type { Guard, Lookup, MachineKind, Update } from "../contract/machine-kind.js"
import { adkTaskConfig, adkTaskKind } from "../task-graph/adk-task.js"
import { confirmationTaskConfig, confirmationTaskKind } from "../task-graph/confirmation-task.js"
import { httpTaskConfig, httpTaskKind } from "../task-graph/http-task.js"
import { loopTaskConfig } from "../task-graph/loop-task.config.js"
import { loopTaskKind } from "../task-graph/loop-task.js"
import { taskGraphConfig } from "../task-graph/task-graph.config.js"
import { taskGraphKind } from "../task-graph/task-graph.js"
import { toolNodeConfig, toolNodeKind } from "../host-functions/tool-node.js"
import { nodeRunConfig } from "../graph/node-run.config.js"
import { nodeRunKind } from "../graph/node-run.js"
import { parallelWorkerConfig } from "../graph/parallel-worker.config.js"
import { parallelWorkerKind } from "../graph/parallel-worker.js"
import { triggeredGraphConfig } from "../graph/triggered-graph.config.js"
import { triggeredGraphKind } from "../graph/triggered-graph.js"
import { workflowAgentConfig } from "../workflow-agent/workflow-agent.config.js"
import { workflowAgentKind } from "../workflow-agent/workflow-agent.js"
import { workflowGraphConfig } from "../graph/workflow-graph.config.js"
import { workflowGraphKind } from "../graph/workflow-graph.js"

/**
 * A machine kind whose types of context, input and output are unknown. Interpreters can handle all
 * kinds in the same way, because they pass a context only to functions of the kind that created it.
 */
export interface AnyMachineKind {
  contextFrom(input: unknown, chart: AgentChart): object
  readonly updates: Readonly<Record<string, Update<object>>>
  readonly guards: Readonly<Record<string, Guard<object>>>
  childInput(
    context: object,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: object): unknown
  refill?(context: object): void
  liveState?(context: object): SessionState
  readonly dropsChildren?: true
  pending: MachineKind<object, unknown, unknown>["pending"]
}

/**
 * The config of a machine as JSON. Machines of a chart and library machines have the same format.
 */
export type MachineConfig = Pick<ChartMachine, "id" | "initial" | "states" | "on"> & {
  readonly meta?: ChartMachine["meta"]
}

export interface MachineDefinition {
  readonly config: MachineConfig
  readonly kind: AnyMachineKind
}

// This is the only place where the types of a kind are removed (see AnyMachineKind).
const erased = (kind: unknown): AnyMachineKind => kind as AnyMachineKind

// Configs with `as const` have readonly literal types. `checkChart` validates them.
const literal = (config: unknown): MachineConfig => config as MachineConfig

/** Library machines, to which all charts can refer by name. */
export const libraryMachines: Readonly<Record<string, MachineDefinition>> = {
  llmAgent: { config: literal(llmAgentConfig), kind: erased(llmAgentKind) },
  humanAgent: { config: literal(humanAgentConfig), kind: erased(humanAgentKind) },
  hookedLlmAgent: { config: literal(hookedLlmAgentConfig), kind: erased(hookedLlmAgentKind) },
  hookedModel: { config: literal(hookedModelConfig), kind: erased(hookedModelKind) },
  hookList: { config: literal(hookListConfig), kind: erased(hookListKind) },
  hostCode: { config: literal(hostFunctionConfig), kind: erased(hostFunctionKind) },
  workflowAgent: { config: literal(workflowAgentConfig), kind: erased(workflowAgentKind) },
  machineAgent: { config: literal(machineAgentConfig), kind: erased(machineAgentKind) },
  fan: { config: literal(fanConfig), kind: erased(fanKind) },
  toolNode: { config: literal(toolNodeConfig), kind: erased(toolNodeKind) },
  nodeRun: { config: literal(nodeRunConfig), kind: erased(nodeRunKind) },
  parallelWorker: { config: literal(parallelWorkerConfig), kind: erased(parallelWorkerKind) },
  triggeredGraph: { config: literal(triggeredGraphConfig), kind: erased(triggeredGraphKind) },
  workflowGraph: { config: literal(workflowGraphConfig), kind: erased(workflowGraphKind) },
  taskGraph: { config: literal(taskGraphConfig), kind: erased(taskGraphKind) },
  httpTask: { config: literal(httpTaskConfig), kind: erased(httpTaskKind) },
  adkTask: { config: literal(adkTaskConfig), kind: erased(adkTaskKind) },
  loopTask: { config: literal(loopTaskConfig), kind: erased(loopTaskKind) },
  confirmationTask: { config: literal(confirmationTaskConfig), kind: erased(confirmationTaskKind) },
}

/**
 * Names of the leaf actors. These promises make calls outside the state machines, such as model
 * calls.
 */
export const leafSources = [
  "callModel",
  "callTool",
  "callNode",
  "callHost",
  "callWorkflow",
  "sleepUntil",
] as const

export type LeafSource = (typeof leafSources)[number]

export const isLeafSource = (src: string): src is LeafSource =>
  (leafSources as readonly string[]).includes(src)

/** Returns all machines that a chart can invoke: its own machines and those of the library. */
export function machinesOf(chart: AgentChart): ReadonlyMap<string, MachineDefinition> {
  const machines = new Map(Object.entries(libraryMachines))
  const kind = erased(orchestrationKind)
  for (const [key, config] of Object.entries(chart.machines)) machines.set(key, { config, kind })
  return machines
}
