/**
 * The XState config of a ParallelWorker (docs/semantics.md#nodes), which runs a node once for each
 * item of a list. The number of items that run at the same time is limited.
 */
export const parallelWorkerConfig = {
  id: "parallelWorker",
  initial: "starting",
  on: { "run.stopped": [{ target: "#parallelWorker.stopped", actions: [{ type: "stopWorker" }] }] },
  states: {
    starting: {
      always: [{ target: "#parallelWorker.running", actions: [{ type: "startItems" }] }],
    },
    running: {
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordItem" }] }],
        "child.paused": [{ actions: [{ type: "setItemPaused" }] }],
        "child.resumed": [{ actions: [{ type: "setItemResumed" }] }],
      },
      always: [
        {
          guard: { type: "endsAs", params: { signal: "failed" } },
          target: "#parallelWorker.failed",
        },
        {
          guard: { type: "endsAs", params: { signal: "limited" } },
          target: "#parallelWorker.limited",
        },
        {
          guard: { type: "endsAs", params: { signal: "exited" } },
          target: "#parallelWorker.exited",
        },
        { guard: { type: "allItemsDone" }, target: "#parallelWorker.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishWorker", params: { signal: "done" } }] },
    failed: { type: "final", entry: [{ type: "finishWorker", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishWorker", params: { signal: "limited" } }] },
    exited: { type: "final", entry: [{ type: "finishWorker", params: { signal: "exited" } }] },
    stopped: { type: "final", entry: [{ type: "finishWorker", params: { signal: "stopped" } }] },
  },
} as const
