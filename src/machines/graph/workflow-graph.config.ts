/**
 * The statechart of a workflow graph (docs/semantics.md#workflow-graphs). A node starts when an
 * edge has delivered input and no running node can still deliver input over another edge. Each
 * running node is a child actor. When it ends, its outgoing edges deliver its output to the next
 * nodes.
 */
export const workflowGraphConfig = {
  id: "workflowGraph",
  initial: "starting",
  on: { "run.stopped": [{ target: "#workflowGraph.stopped", actions: [{ type: "stopGraph" }] }] },
  states: {
    starting: { always: [{ target: "#workflowGraph.running", actions: [{ type: "startGraph" }] }] },
    running: {
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordNode" }] }],
        "child.paused": [{ actions: [{ type: "setNodePaused" }] }],
        "child.resumed": [{ actions: [{ type: "setNodeResumed" }] }],
      },
      always: [
        {
          guard: { type: "nodeLimited" },
          target: "#workflowGraph.limited",
          actions: [{ type: "joinGraph" }],
        },
        {
          guard: { type: "nodeExited" },
          target: "#workflowGraph.exited",
          actions: [{ type: "joinGraph" }],
        },
        {
          guard: { type: "nodeFailed" },
          target: "#workflowGraph.failed",
          actions: [{ type: "joinGraph" }],
        },
        {
          guard: { type: "graphFinished" },
          target: "#workflowGraph.joining",
          actions: [{ type: "joinGraph" }],
        },
      ],
    },
    joining: {
      always: [
        { guard: { type: "joinFailed" }, target: "#workflowGraph.failed" },
        { target: "#workflowGraph.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishGraph", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "exited" } }] },
    failed: { type: "final", entry: [{ type: "finishGraph", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishGraph", params: { signal: "stopped" } }] },
  },
} as const
