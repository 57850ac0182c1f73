import { graphMachineConfig } from "./graph-machine.config.js"

const joinGraph = [{ type: "joinGraph" }]

/**
 * The statechart of a workflow graph (docs/semantics.md#workflow-graphs). A node starts when an
 * edge has delivered input and no running node can still deliver input over another edge. When the
 * node ends, its outgoing edges deliver its output to the next nodes.
 */
export const workflowGraphConfig = graphMachineConfig(
  "workflowGraph",
  [
    { guard: { type: "nodeLimited" }, end: "limited", actions: joinGraph },
    { guard: { type: "nodeExited" }, end: "exited", actions: joinGraph },
    { guard: { type: "nodeFailed" }, end: "failed", actions: joinGraph },
  ],
  { state: "joining", action: "joinGraph", failed: "joinFailed" },
)
