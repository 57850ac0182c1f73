/**
 * The XState config of a machine that runs one guardrail (docs/semantics.md#guardrails). A host
 * function or a model checks a text. The output of the machine contains the verdict.
 */
export const guardrailConfig = {
  id: "guardrail",
  initial: "preparing",
  states: {
    preparing: {
      always: [
        { guard: { type: "isFunction" }, target: "#guardrail.callingFunction" },
        { target: "#guardrail.callingModel" },
      ],
    },
    callingFunction: {
      invoke: {
        id: "function",
        src: "hostCode",
        input: {},
        onDone: [{ target: "#guardrail.done", actions: [{ type: "judgeByFunction" }] }],
      },
    },
    callingModel: {
      invoke: {
        id: "model",
        src: "callModel",
        input: {},
        onDone: [
          {
            guard: { type: "hasVerdict" },
            target: "#guardrail.done",
            actions: [{ type: "judgeByModel" }],
          },
          {
            guard: { type: "attemptsAreLeft" },
            target: "#guardrail.backingOff",
            actions: [{ type: "scheduleRetry" }],
          },
          { target: "#guardrail.done", actions: [{ type: "failCheck" }] },
        ],
      },
    },
    backingOff: {
      tags: ["retry"],
      invoke: {
        id: "pause",
        src: "sleepUntil",
        input: {},
        onDone: [{ target: "#guardrail.callingModel", actions: [{ type: "countAttempt" }] }],
      },
    },
    done: { type: "final", entry: [{ type: "reportVerdict" }] },
  },
} as const
