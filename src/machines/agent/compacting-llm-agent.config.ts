import { hookedTurnConfig, type CallSteps } from "./hooked-llm-agent.config.js"

/**
 * Returns the XState states that load memories and summarize the conversation before a model call.
 * `id` is the id of the machine that contains these states.
 */
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
 * The XState config of the turn of an LlmAgent with callbacks, `compaction` or `preload_memory`. In
 * addition to the states of `hookedLlmAgentConfig`, it has states before each model call. They load
 * memories (docs/semantics.md#long-term-memory) and summarize the conversation
 * (docs/semantics.md#long-conversations).
 */
export const compactingLlmAgentConfig = hookedTurnConfig({
  id: "hookedLlmAgent",
  callModel: "hookedModel",
  nextCall: "checkingLength",
  ...compactionSteps("hookedLlmAgent"),
})
