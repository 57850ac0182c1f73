/**
 * A workflow graph as a statechart (docs/semantics.md#workflow-graphs). A node starts when it has
 * input from an edge and no running node can still send it input over another edge. Its outgoing
 * edges pass its output on. Each running node is a child actor.
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
