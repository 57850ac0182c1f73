/**
 * The XState config of a machine that runs a parallel block with many branches, `maxConcurrency`,
 * `completion` or `forEach`. Every branch is a child actor. Branches start in declaration order,
 * and the machine counts the finished branches. The machine behaves like a parallel state
 * (docs/semantics.md#parallel-blocks), but its cost is linear in the number of branches.
 */
export const fanConfig = {
  id: "fan",
  initial: "starting",
  on: { "run.stopped": [{ target: "#fan.stopped", actions: [{ type: "stopBranches" }] }] },
  states: {
    starting: { always: [{ target: "#fan.running", actions: [{ type: "startFan" }] }] },
    running: {
      entry: [{ type: "startBranches" }],
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordBranch" }, { type: "startBranches" }] }],
        "child.paused": [{ actions: [{ type: "setBranchPaused" }, { type: "startBranches" }] }],
        "child.resumed": [{ actions: [{ type: "setBranchResumed" }] }],
      },
      always: [
        { guard: { type: "itemsRefused" }, target: "#fan.failed" },
        {
          guard: { type: "branchLimited" },
          target: "#fan.limited",
          actions: [{ type: "joinFan" }],
        },
        { guard: { type: "branchExited" }, target: "#fan.exited", actions: [{ type: "joinFan" }] },
        {
          guard: { type: "branchFailsFast" },
          target: "#fan.failed",
          actions: [{ type: "joinFan" }],
        },
        {
          guard: { type: "completionReached" },
          target: "#fan.joining",
          actions: [{ type: "reportSettled" }, { type: "joinFan" }],
        },
        {
          guard: { type: "escalationCancels" },
          target: "#fan.joining",
          actions: [{ type: "joinFan" }],
        },
        {
          guard: { type: "branchesFinished" },
          target: "#fan.joining",
          actions: [{ type: "joinFan" }],
        },
      ],
    },
    joining: {
      always: [
        { guard: { type: "joinFailed" }, target: "#fan.failed" },
        {
          guard: { type: "completionMissed" },
          target: "#fan.failed",
          actions: [{ type: "failCompletion" }],
        },
        {
          guard: { type: "someBranchFailed" },
          target: "#fan.failed",
          actions: [{ type: "reportFailedBranches" }],
        },
        { guard: { type: "someBranchEscalated" }, target: "#fan.escalated" },
        { target: "#fan.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishFan", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishFan", params: { signal: "exited" } }] },
    escalated: { type: "final", entry: [{ type: "finishFan", params: { signal: "escalated" } }] },
    failed: { type: "final", entry: [{ type: "finishFan", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishFan", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishFan", params: { signal: "stopped" } }] },
  },
} as const
