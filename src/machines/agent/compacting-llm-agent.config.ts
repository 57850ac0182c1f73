import { hookedTurnConfig, type CallSteps } from "./hooked-llm-agent.config.js"

/** Returns the states in which a conversation is summarized before a model call. */
export function compactionSteps(id: string): Pick<CallSteps, "onTooLong" | "states"> {
  const to = (state: string): string => `#${id}.${state}`
  return {
    onTooLong: [
      {
        guard: { type: "isTooLong" },
        target: to("summarizing"),
        actions: [{ type: "shortenConversation" }],
      },
    ],
    states: {
      checkingLength: {
        always: [
          { guard: { type: "mustLoadMemories" }, target: to("loadingMemories") },
          {
            guard: { type: "needsSummary" },
            target: to("summarizing"),
            actions: [{ type: "startSummary" }],
          },
          { target: to("callingModel") },
        ],
      },
      loadingMemories: {
        invoke: {
          id: "memories",
          src: "hostCode",
          input: { of: "memories" },
          onDone: [
            {
              guard: { type: "hostFailed" },
              target: to("failed"),
              actions: [{ type: "failCallback" }],
            },
            { target: to("checkingLength"), actions: [{ type: "storeMemories" }] },
          ],
        },
      },
      summarizing: {
        invoke: {
          id: "summary",
          src: "callModel",
          input: {},
          onDone: [
            {
              guard: { type: "wroteSummary" },
              target: to("callingModel"),
              actions: [{ type: "storeSummary" }],
            },
            {
              guard: { type: "summaryIsOverLimit" },
              target: to("callingModel"),
              actions: [{ type: "skipSummary" }],
            },
            {
              guard: { type: "summaryAttemptsAreLeft" },
              target: to("waitingForSummary"),
              actions: [{ type: "scheduleSummaryRetry" }],
            },
            { target: to("failed"), actions: [{ type: "failSummary" }] },
          ],
        },
      },
      waitingForSummary: {
        tags: ["retry"],
        invoke: {
          id: "pause",
          src: "sleepUntil",
          input: { of: "summary" },
          onDone: [{ target: to("summarizing"), actions: [{ type: "setTime" }] }],
        },
      },
    },
  }
}

/**
 * The statechart of a turn with callbacks, with `compaction` or with `preload_memory`. It has the
 * states of `hookedLlmAgentConfig`. Before a model call, it also has states in which memories are
 * loaded (docs/semantics.md#long-term-memory) and in which the conversation is summarized
 * (docs/semantics.md#long-conversations).
 */
export const compactingLlmAgentConfig = hookedTurnConfig({
  id: "hookedLlmAgent",
  callModel: "hookedModel",
  nextCall: "checkingLength",
  ...compactionSteps("hookedLlmAgent"),
})
