/**
 * The turn of one LlmAgent as a statechart (SPEC section 3): call the model, let a person approve, run the tool calls,
 * call again; the turn ends in one of the final states. Reusable: who the agent is comes with the input.
 */
export const llmAgentConfig = {
  id: "llmAgent",
  initial: "preparing",
  on: { "run.stopped": [{ target: "#llmAgent.stopped", actions: [{ type: "stopTurn" }] }] },
  states: {
    preparing: { always: [{ target: "#llmAgent.callingModel", actions: [{ type: "startTurn" }] }] },
    callingModel: {
      entry: [{ type: "countModelCall" }],
      invoke: {
        id: "model",
        src: "callModel",
        input: {},
        onDone: [
          { guard: { type: "answersFinally" }, target: "#llmAgent.done", actions: [{ type: "applyFinalAnswer" }] },
          { guard: { type: "breaksSchemaOnce" }, target: "#llmAgent.callingModel", reenter: true, actions: [{ type: "askForRepair" }] },
          { guard: { type: "breaksSchema" }, target: "#llmAgent.failed", actions: [{ type: "failSchema" }] },
          { guard: { type: "callsTools" }, target: "#llmAgent.callingTools", actions: [{ type: "applyAnswer" }] },
          { guard: { type: "asksForApproval" }, target: "#llmAgent.waitingForHuman", actions: [{ type: "applyAnswer" }] },
          { guard: { type: "exits" }, target: "#llmAgent.exited", actions: [{ type: "applyFinalAnswer" }] },
          { guard: { type: "escalates" }, target: "#llmAgent.escalated", actions: [{ type: "applyFinalAnswer" }] },
          { guard: { type: "asksUser" }, target: "#llmAgent.waitingForUser", actions: [{ type: "applyFinalAnswer" }] },
          { guard: { type: "modelCallLimitReached" }, target: "#llmAgent.limited", actions: [{ type: "failTurn" }] },
          { guard: { type: "attemptsAreLeft" }, target: "#llmAgent.backingOff", actions: [{ type: "scheduleRetry" }] },
          { target: "#llmAgent.failed", actions: [{ type: "failTurn" }] },
        ],
      },
    },
    backingOff: {
      tags: ["retry"],
      invoke: { id: "pause", src: "sleepUntil", input: {}, onDone: [{ target: "#llmAgent.callingModel", actions: [{ type: "noteTime" }] }] },
    },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "askForApproval" }],
      exit: [{ type: "closeRequest" }],
      on: {
        "human.approved": [{ guard: { type: "answersOpenRequest" }, target: "#llmAgent.callingTools", actions: [{ type: "applyApproval" }] }],
        "human.rejected": [{ guard: { type: "answersOpenRequest" }, target: "#llmAgent.callingTools", actions: [{ type: "applyRejection" }] }],
      },
    },
    callingTools: {
      entry: [{ type: "startToolCalls" }],
      exit: [{ type: "stopToolCalls" }],
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "applyToolResult" }] }],
        "tool.delivered": [{ guard: { type: "answersOpenRequest" }, actions: [{ type: "applyDelivery" }] }],
        "human.answered": [{ guard: { type: "answersOpenRequest" }, actions: [{ type: "grantConsent" }] }],
        "human.approved": [{ guard: { type: "answersOpenRequest" }, actions: [{ type: "confirmCall" }] }],
        "human.rejected": [{ guard: { type: "answersOpenRequest" }, actions: [{ type: "refuseCall" }] }],
        "child.paused": [{ actions: [{ type: "notePausedCall" }] }],
        "child.resumed": [{ actions: [{ type: "noteResumedCall" }] }],
      },
      always: [
        { guard: { type: "callbackFailed" }, target: "#llmAgent.failed", actions: [{ type: "collectResults" }, { type: "failByToolCallback" }] },
        { guard: { type: "toolHitLimit" }, target: "#llmAgent.limited", actions: [{ type: "collectResults" }] },
        { guard: { type: "exitsAfterCalls" }, target: "#llmAgent.exited", actions: [{ type: "collectResults" }, { type: "endTurn" }] },
        { guard: { type: "escalatesAfterCalls" }, target: "#llmAgent.escalated", actions: [{ type: "collectResults" }, { type: "endTurn" }] },
        { guard: { type: "handsOffAfterCalls" }, target: "#llmAgent.handedOff", actions: [{ type: "collectResults" }, { type: "leaveForTransfer" }] },
        { guard: { type: "toolAnswered" }, target: "#llmAgent.done", actions: [{ type: "collectResults" }, { type: "endTurnWithToolResult" }] },
        { guard: { type: "asksUserAfterCalls" }, target: "#llmAgent.waitingForUser", actions: [{ type: "collectResults" }, { type: "endTurn" }] },
        { guard: { type: "turnLimitReached" }, target: "#llmAgent.limited", actions: [{ type: "collectResults" }, { type: "limitTurn" }] },
        { guard: { type: "resultsAreIn" }, target: "#llmAgent.callingModel", actions: [{ type: "collectResults" }] },
      ],
    },
    waitingForUser: {
      tags: ["waiting"],
      entry: [{ type: "awaitUser" }],
      exit: [{ type: "closeRequest" }],
      on: {
        "user.said": [{ guard: { type: "answersOpenRequest" }, target: "#llmAgent.callingModel", actions: [{ type: "hearUser" }] }],
      },
    },
    done: { type: "final", entry: [{ type: "finishTurn", params: { signal: "done" } }] },
    exited: { type: "final", entry: [{ type: "finishTurn", params: { signal: "exited" } }] },
    escalated: { type: "final", entry: [{ type: "finishTurn", params: { signal: "escalated" } }] },
    handedOff: { type: "final", entry: [{ type: "finishTurn", params: { signal: "handedOff" } }] },
    failed: { type: "final", entry: [{ type: "finishTurn", params: { signal: "failed" } }] },
    limited: { type: "final", entry: [{ type: "finishTurn", params: { signal: "limited" } }] },
    stopped: { type: "final", entry: [{ type: "finishTurn", params: { signal: "stopped" } }] },
  },
} as const
