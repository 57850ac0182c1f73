/**
 * The XState config of a forEach or source_iterator node (docs/semantics.md#loops-in-graphs). It
 * runs the nodes of the loop's body once for each item, as a child workflow.
 */
export const loopTaskConfig = {
  id: "loopTask",
  initial: "starting",
  on: { "run.stopped": [{ target: "#loopTask.stopped", actions: [{ type: "stopTask" }] }] },
  states: {
    starting: { always: [{ target: "#loopTask.preparing" }] },
    preparing: {
      entry: [{ type: "readItems" }],
      on: {
        "xstate.done.actor.items": [
          { target: "#loopTask.prepared", actions: [{ type: "recordItems" }] },
        ],
        "xstate.done.actor.request": [
          { guard: { type: "isStoppedWithRun" }, actions: [] },
          { target: "#loopTask.prepared", actions: [{ type: "recordRequest" }] },
        ],
      },
    },
    prepared: {
      always: [
        { guard: { type: "isFailed" }, target: "#loopTask.failed" },
        { target: "#loopTask.running", actions: [{ type: "expandLoop" }] },
      ],
    },
    running: {
      entry: [{ type: "startChildren" }],
      on: {
        "child.paused": [{ actions: [{ type: "setChildPaused" }] }],
        "child.resumed": [{ actions: [{ type: "setChildResumed" }] }],
        "xstate.done.actor.*": [{ actions: [{ type: "recordChild" }] }],
      },
      always: [
        {
          guard: { type: "childrenFinished" },
          target: "#loopTask.collected",
          actions: [{ type: "collectChildren" }],
        },
      ],
    },
    collected: {
      always: [
        { guard: { type: "isFailed" }, target: "#loopTask.failed" },
        { target: "#loopTask.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishTask", params: { signal: "executed" } }] },
    failed: { type: "final", entry: [{ type: "finishTask", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishTask", params: { signal: "stopped" } }] },
  },
} as const
