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
import { erased, literal, type MachineLibrary } from "./machine-definition.js"

/**
 * Machines of this package that only graphs need, both ADK workflow graphs and Graph Compose
 * graphs. Charts invoke them by these names.
 */
export const graphMachines: MachineLibrary = {
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
