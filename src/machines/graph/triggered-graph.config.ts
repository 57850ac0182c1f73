/**
 * The statechart of a workflow graph with `triggering: "each"`
 * (docs/semantics.md#one-run-for-each-trigger). A node that ends triggers the targets of its edges.
 * Each trigger is one run of the target in a child actor.
 */
export const triggeredGraphConfig = {
  id: "triggeredGraph",
  initial: "starting",
  on: { "run.stopped": [{ target: "#triggeredGraph.stopped", actions: [{ type: "stopGraph" }] }] },
  states: {
    starting: {
      always: [{ target: "#triggeredGraph.running", actions: [{ type: "startGraph" }] }],
    },
    running: {
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordNode" }] }],
        "child.paused": [{ actions: [{ type: "setNodePaused" }] }],
        "child.resumed": [{ actions: [{ type: "setNodeResumed" }] }],
      },
      always: [
        {
          guard: { type: "endsAs", params: { signal: "failed" } },
          target: "#triggeredGraph.failed",
        },
        {
          guard: { type: "endsAs", params: { signal: "limited" } },
          target: "#triggeredGraph.limited",
        },
        {
          guard: { type: "endsAs", params: { signal: "exited" } },
          target: "#triggeredGraph.exited",
        },
        {
          guard: { type: "graphFinished" },
          target: "#triggeredGraph.collecting",
          actions: [{ type: "collectOutput" }],
        },
      ],
    },
    collecting: {
      always: [
        { guard: { type: "hasError" }, target: "#triggeredGraph.failed" },
        { target: "#triggeredGraph.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishGraph", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "exited" } }] },
    failed: { type: "final", entry: [{ type: "finishGraph", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishGraph", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishGraph", params: { signal: "stopped" } }] },
  },
} as const
