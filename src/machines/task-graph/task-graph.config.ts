/**
 * The XState config of a Graph Compose graph, or of the body of a loop for one item
 * (docs/semantics.md#task-graphs). A node starts when all of its dependencies have ended or were
 * skipped. Each running node is a child actor.
 */
export const taskGraphConfig = {
  id: "taskGraph",
  initial: "starting",
  on: {
    "run.stopped": [
      {
        guard: { type: "postsItsEnd" },
        target: "#taskGraph.closing",
        actions: [{ type: "stopGraph" }, { type: "closeGraph" }],
      },
      { target: "#taskGraph.stopped", actions: [{ type: "stopGraph" }] },
    ],
  },
  states: {
    starting: { always: [{ target: "#taskGraph.running", actions: [{ type: "startGraph" }] }] },
    running: {
      on: {
        "xstate.done.actor.timeout": [{ actions: [{ type: "passTimeout" }] }],
        "xstate.done.actor.webhook": [{ actions: [{ type: "recordPost" }] }],
        "xstate.done.actor.*": [{ actions: [{ type: "recordTask" }] }],
        "child.paused": [{ actions: [{ type: "setTaskPaused" }] }],
        "child.resumed": [{ actions: [{ type: "setTaskResumed" }] }],
      },
      always: [
        {
          guard: { type: "graphEnded" },
          target: "#taskGraph.closing",
          actions: [{ type: "closeGraph" }],
        },
      ],
    },
    closing: {
      always: [
        { guard: { type: "isNotifying" }, target: "#taskGraph.notifying" },
        { guard: { type: "graphFailed" }, target: "#taskGraph.failed" },
        { guard: { type: "graphStopped" }, target: "#taskGraph.stopped" },
        { target: "#taskGraph.done" },
      ],
    },
    notifying: {
      on: {
        // The graph has already ended, and only notifications to its webhook remain, so a stop has
        // no effect.
        "run.stopped": [{ actions: [] }],
        "xstate.done.actor.webhook": [
          { target: "#taskGraph.closing", actions: [{ type: "recordPost" }] },
        ],
      },
    },
    done: { type: "final", entry: [{ type: "finishGraph", params: { signal: "done" } }] },
    failed: { type: "final", entry: [{ type: "finishGraph", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishGraph", params: { signal: "stopped" } }] },
  },
} as const
