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
import { workflowGraphConfig } from "../graph/workflow-graph.config.js"
import { workflowGraphKind } from "../graph/workflow-graph.js"
import { asAnyMachineKind, asMachineConfig, type MachineLibrary } from "./machine-definition.js"

/**
 * Machines of this package that only graphs need, both ADK workflow graphs and Graph Compose
 * graphs. Charts invoke them by these names.
 */
export const graphMachines: MachineLibrary = {
  toolNode: { config: asMachineConfig(toolNodeConfig), kind: asAnyMachineKind(toolNodeKind) },
  nodeRun: { config: asMachineConfig(nodeRunConfig), kind: asAnyMachineKind(nodeRunKind) },
  parallelWorker: {
    config: asMachineConfig(parallelWorkerConfig),
    kind: asAnyMachineKind(parallelWorkerKind),
  },
  triggeredGraph: {
    config: asMachineConfig(triggeredGraphConfig),
    kind: asAnyMachineKind(triggeredGraphKind),
  },
  workflowGraph: {
    config: asMachineConfig(workflowGraphConfig),
    kind: asAnyMachineKind(workflowGraphKind),
  },
  taskGraph: { config: asMachineConfig(taskGraphConfig), kind: asAnyMachineKind(taskGraphKind) },
  httpTask: { config: asMachineConfig(httpTaskConfig), kind: asAnyMachineKind(httpTaskKind) },
  adkTask: { config: asMachineConfig(adkTaskConfig), kind: asAnyMachineKind(adkTaskKind) },
  loopTask: { config: asMachineConfig(loopTaskConfig), kind: asAnyMachineKind(loopTaskKind) },
  confirmationTask: {
    config: asMachineConfig(confirmationTaskConfig),
    kind: asAnyMachineKind(confirmationTaskKind),
  },
}
