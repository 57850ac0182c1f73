/**
 * The XState config of a machine that runs one node of a graph with `triggering: "each"`
 * (docs/semantics.md#nodes). It calls the callbacks before the node, makes attempts with retries
 * and a timeout, asks people, and calls the callbacks after the node.
 */
export const nodeRunConfig = {
  id: "nodeRun",
  initial: "preparing",
  on: { "run.stopped": [{ target: "#nodeRun.stopped", actions: [{ type: "stopNode" }] }] },
  states: {
    preparing: {
      always: [
        { guard: { type: "hasBeforeCallbacks" }, target: "#nodeRun.beforeNode" },
        { target: "#nodeRun.attempting", actions: [{ type: "startAttempt" }] },
      ],
    },
    beforeNode: {
      invoke: {
        id: "before",
        src: "hookList",
        input: { hook: "beforeNode" },
        onDone: [
          {
            guard: { type: "callbackFailed" },
            target: "#nodeRun.failed",
            actions: [{ type: "applyCallbacks" }],
          },
          {
            guard: { type: "callbackAnswered" },
            target: "#nodeRun.done",
            actions: [{ type: "applyCallbacks" }],
          },
          {
            target: "#nodeRun.attempting",
            actions: [{ type: "applyCallbacks" }, { type: "startAttempt" }],
          },
        ],
      },
    },
    attempting: {
      on: {
        "xstate.done.actor.run": [{ actions: [{ type: "recordAttempt" }] }],
        "xstate.done.actor.timeout": [{ actions: [{ type: "timeOut" }] }],
        "child.paused": [{ actions: [{ type: "reportPaused" }] }],
        "child.resumed": [{ actions: [{ type: "reportResumed" }] }],
      },
      always: [
        { guard: { type: "asks" }, target: "#nodeRun.waitingForHuman" },
        {
          guard: { type: "mayRetry" },
          target: "#nodeRun.backingOff",
          actions: [{ type: "scheduleRetry" }],
        },
        { guard: { type: "endedAs", params: { signal: "failed" } }, target: "#nodeRun.failed" },
        { guard: { type: "endedAs", params: { signal: "limited" } }, target: "#nodeRun.limited" },
        { guard: { type: "endedAs", params: { signal: "exited" } }, target: "#nodeRun.exited" },
        { guard: { type: "endedAs", params: { signal: "stopped" } }, target: "#nodeRun.stopped" },
        { guard: { type: "endedWithCallbacks" }, target: "#nodeRun.afterNode" },
        { guard: { type: "endedAs", params: { signal: "done" } }, target: "#nodeRun.done" },
      ],
    },
    backingOff: {
      tags: ["retry"],
      invoke: {
        id: "pause",
        src: "sleepUntil",
        input: {},
        onDone: [
          {
            target: "#nodeRun.attempting",
            actions: [{ type: "setTime" }, { type: "startAttempt" }],
          },
        ],
      },
    },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "askPeople" }],
      on: {
        "human.answered": [
          {
            guard: { type: "answersLastQuestionAndReruns" },
            target: "#nodeRun.attempting",
            actions: [{ type: "recordAnswer" }, { type: "startAttempt" }],
          },
          {
            guard: { type: "answersLastQuestion" },
            target: "#nodeRun.answered",
            actions: [{ type: "recordAnswer" }, { type: "returnAnswer" }],
          },
          { guard: { type: "answersQuestion" }, actions: [{ type: "recordAnswer" }] },
        ],
      },
    },
    answered: {
      always: [
        { guard: { type: "endedWithCallbacks" }, target: "#nodeRun.afterNode" },
        { target: "#nodeRun.done" },
      ],
    },
    afterNode: {
      invoke: {
        id: "after",
        src: "hookList",
        input: { hook: "afterNode" },
        onDone: [
          {
            guard: { type: "callbackFailed" },
            target: "#nodeRun.failed",
            actions: [{ type: "applyCallbacks" }],
          },
          { target: "#nodeRun.done", actions: [{ type: "applyCallbacks" }] },
        ],
      },
    },
    done: { type: "final", entry: [{ type: "finishNode", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishNode", params: { signal: "exited" } }] },
    failed: { type: "final", entry: [{ type: "finishNode", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishNode", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishNode", params: { signal: "stopped" } }] },
  },
} as const
