import { graphMachineConfig } from "./graph-machine.config.js"

const joinGraph = [{ type: "joinGraph" }]

/**
 * The XState config of a workflow graph (docs/semantics.md#workflow-graphs). A node starts when it
 * has received input and no running node can still reach it over another edge. When a node ends,
 * the next nodes receive its output over its outgoing edges.
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
