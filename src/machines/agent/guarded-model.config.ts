/**
 * The XState config of a model call with guardrails (docs/semantics.md#guardrails). Input
 * guardrails with `mode: "beside"` run at the same time as the call. Output guardrails check the
 * response, one after the other. For the limits of the agent, the call and its guardrails are one
 * model call.
 */
export const guardedModelConfig = {
  id: "guardedModel",
  initial: "preparing",
  states: {
    preparing: {
      always: [
        { guard: { type: "isDecided" }, target: "#guardedModel.done" },
        { target: "#guardedModel.callingModel" },
      ],
    },
    callingModel: {
      entry: [{ type: "startGuardrails" }],
      exit: [{ type: "stopGuardrails" }],
      invoke: {
        id: "model",
        src: "hookedModel",
        input: {},
        onDone: [{ actions: [{ type: "keepResult" }] }],
      },
      on: { "xstate.done.actor.*": [{ actions: [{ type: "keepVerdict" }] }] },
      always: [
        { guard: { type: "isDecided" }, target: "#guardedModel.done" },
        { guard: { type: "checksText" }, target: "#guardedModel.checkingOutput" },
        { guard: { type: "hasEnded" }, target: "#guardedModel.done" },
      ],
    },
    checkingOutput: {
      invoke: {
        id: "guardrail",
        src: "guardrail",
        input: {},
        onDone: [
          {
            guard: { type: "endsChecks" },
            target: "#guardedModel.done",
            actions: [{ type: "applyOutputVerdict" }],
          },
          {
            guard: { type: "hasMoreGuardrails" },
            target: "#guardedModel.checkingOutput",
            reenter: true,
            actions: [{ type: "applyOutputVerdict" }],
          },
          { target: "#guardedModel.done", actions: [{ type: "applyOutputVerdict" }] },
        ],
      },
    },
    done: { type: "final" },
  },
} as const
