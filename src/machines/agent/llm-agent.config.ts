/** A guarded transition of an LlmAgent's turn that can be taken when a model call ends. */
export interface CallTransition {
  readonly guard: { readonly type: string }
  readonly target: string
  readonly actions: readonly { readonly type: string }[]
}

/** Settings of the XState config of a turn. They depend on whether the turn has callbacks. */
interface TurnForm {
  readonly id: string
  /** Name of the actor that makes the model call, such as `callModel`. */
  readonly callModel: string
  /**
   * Key of the XState state that the machine enters to start the next model call. It can be a state
   * that prepares the call. A retry of the same call enters `callingModel` instead.
   */
  readonly nextCall: string
  /**
   * Transitions after a model call that failed because the conversation is too long for the model.
   * They take precedence over a retry.
   */
  readonly onTooLong: readonly CallTransition[]
  /** Key of the state to enter for each outcome of a turn without an error. */
  readonly ends: { readonly done: string; readonly exited: string; readonly escalated: string }
}

/**
 * Returns the XState config of an LlmAgent's turn (docs/semantics.md#turns). The turn calls the
 * model, waits for approvals, runs the tool calls, and calls the model again, until it enters a
 * final state. All agents share this machine. Its input contains the id of the agent.
 */
export function turnConfig({ id, callModel, nextCall, onTooLong, ends }: TurnForm) {
  const to = (state: string): string => `#${id}.${state}`
  const overdue = [{ target: to("failed"), actions: [{ type: "passTurnDeadline" }] }]
  return {
    id,
    initial: "preparing",
    on: {
      "run.stopped": [{ target: to("stopped"), actions: [{ type: "stopTurn" }] }],
      "xstate.done.actor.deadline": overdue,
    },
    states: {
      preparing: { always: [{ target: to(nextCall), actions: [{ type: "startTurn" }] }] },
      callingModel: {
        entry: [{ type: "countModelCall" }],
        invoke: {
          id: "model",
          src: callModel,
          input: {},
          onDone: [
            {
              guard: { type: "answersFinally" },
              target: to(ends.done),
              actions: [{ type: "applyFinalAnswer" }],
            },
            {
              guard: { type: "violatesSchemaOnce" },
              target: to(nextCall),
              reenter: true,
              actions: [{ type: "askForRepair" }],
            },
            {
              guard: { type: "violatesSchema" },
              target: to("failed"),
              actions: [{ type: "failSchema" }],
            },
            {
              guard: { type: "callsTools" },
              target: to("callingTools"),
              actions: [{ type: "applyAnswer" }],
            },
            {
              guard: { type: "asksForApproval" },
              target: to("waitingForHuman"),
              actions: [{ type: "applyAnswer" }],
            },
            {
              guard: { type: "exits" },
              target: to(ends.exited),
              actions: [{ type: "applyFinalAnswer" }],
            },
            {
              guard: { type: "escalates" },
              target: to(ends.escalated),
              actions: [{ type: "applyFinalAnswer" }],
            },
            {
              guard: { type: "asksUser" },
              target: to("waitingForUser"),
              actions: [{ type: "applyFinalAnswer" }],
            },
            {
              guard: { type: "asksForBudget" },
              target: to("waitingForBudget"),
              actions: [{ type: "storeOverrun" }],
            },
            {
              guard: { type: "modelCallLimitReached" },
              target: to("limited"),
              actions: [{ type: "failTurn" }],
            },
            ...onTooLong,
            {
              guard: { type: "attemptsAreLeft" },
              target: to("backingOff"),
              actions: [{ type: "scheduleRetry" }],
            },
            {
              guard: { type: "fallsBack" },
              target: to("callingModel"),
              reenter: true,
              actions: [{ type: "fallBack" }],
            },
            { target: to("failed"), actions: [{ type: "failTurn" }] },
          ],
        },
      },
      backingOff: {
        tags: ["retry"],
        invoke: {
          id: "pause",
          src: "sleepUntil",
          input: {},
          onDone: [{ target: to("callingModel"), actions: [{ type: "setTime" }] }],
        },
      },
      waitingForHuman: {
        tags: ["waiting"],
        entry: [{ type: "askForApproval" }],
        exit: [{ type: "closeRequest" }],
        on: {
          "human.approved": [
            {
              guard: { type: "answersOpenRequest" },
              target: to("callingTools"),
              actions: [{ type: "applyApproval" }],
            },
          ],
          "human.rejected": [
            {
              guard: { type: "answersOpenRequest" },
              target: to("callingTools"),
              actions: [{ type: "applyRejection" }],
            },
          ],
          "xstate.done.actor.expiry": [
            {
              guard: { type: "onExpiryIs", params: { kind: "approval", is: "fail" } },
              target: to("failed"),
              actions: [{ type: "failExpired" }],
            },
            { target: to("callingTools"), actions: [{ type: "rejectExpired" }] },
          ],
        },
      },
      waitingForBudget: {
        tags: ["waiting"],
        entry: [{ type: "askForBudget" }],
        exit: [{ type: "closeRequest" }],
        on: {
          "human.approved": [
            {
              guard: { type: "answersOpenRequest" },
              target: to(nextCall),
              actions: [{ type: "grantBudget" }],
            },
          ],
          "human.rejected": [
            {
              guard: { type: "answersOpenRequest" },
              target: to("limited"),
              actions: [{ type: "refuseBudget" }],
            },
          ],
          "xstate.done.actor.expiry": [
            { target: to("limited"), actions: [{ type: "refuseBudget" }] },
          ],
        },
      },
      callingTools: {
        entry: [{ type: "startToolCalls" }],
        exit: [{ type: "stopToolCalls" }],
        on: {
          "xstate.done.actor.deadline": overdue,
          "xstate.done.actor.*": [{ actions: [{ type: "applyToolResult" }] }],
          "tool.delivered": [
            { guard: { type: "answersOpenRequest" }, actions: [{ type: "applyDelivery" }] },
          ],
          "human.answered": [
            { guard: { type: "answersOpenRequest" }, actions: [{ type: "grantConsent" }] },
          ],
          "human.approved": [
            { guard: { type: "answersOpenRequest" }, actions: [{ type: "confirmCall" }] },
          ],
          "human.rejected": [
            { guard: { type: "answersOpenRequest" }, actions: [{ type: "refuseCall" }] },
          ],
          "child.paused": [{ actions: [{ type: "setCallPaused" }] }],
          "child.resumed": [{ actions: [{ type: "setCallResumed" }] }],
        },
        always: [
          {
            guard: { type: "callbackFailed" },
            target: to("failed"),
            actions: [{ type: "collectResults" }, { type: "failToolCallback" }],
          },
          {
            guard: { type: "toolHitLimit" },
            target: to("limited"),
            actions: [{ type: "collectResults" }],
          },
          {
            guard: { type: "exitsAfterCalls" },
            target: to(ends.exited),
            actions: [{ type: "collectResults" }, { type: "endTurn" }],
          },
          {
            guard: { type: "escalatesAfterCalls" },
            target: to(ends.escalated),
            actions: [{ type: "collectResults" }, { type: "endTurn" }],
          },
          {
            guard: { type: "handsOffAfterCalls" },
            target: to("handedOff"),
            actions: [{ type: "collectResults" }, { type: "transferConversation" }],
          },
          {
            guard: { type: "toolAnswered" },
            target: to(ends.done),
            actions: [{ type: "collectResults" }, { type: "endTurnWithToolResult" }],
          },
          {
            guard: { type: "asksUserAfterCalls" },
            target: to("waitingForUser"),
            actions: [{ type: "collectResults" }, { type: "endTurn" }],
          },
          {
            guard: { type: "turnLimitReached" },
            target: to("limited"),
            actions: [{ type: "collectResults" }, { type: "limitTurn" }],
          },
          {
            guard: { type: "callsFinished" },
            target: to(nextCall),
            actions: [{ type: "collectResults" }],
          },
        ],
      },
      waitingForUser: {
        tags: ["waiting"],
        entry: [{ type: "awaitUser" }],
        exit: [{ type: "closeRequest" }],
        on: {
          "user.said": [
            {
              guard: { type: "answersOpenRequest" },
              target: to(nextCall),
              actions: [{ type: "applyUserMessage" }],
            },
          ],
          "xstate.done.actor.expiry": [
            {
              guard: { type: "onExpiryIs", params: { kind: "input", is: "fail" } },
              target: to("failed"),
              actions: [{ type: "failExpired" }],
            },
            {
              guard: { type: "onExpiryIs", params: { kind: "input", is: "continue" } },
              target: to(ends.done),
              actions: [{ type: "finishUnanswered" }],
            },
            { target: to(nextCall), actions: [{ type: "continueUnanswered" }] },
          ],
        },
      },
      done: { type: "final", entry: [{ type: "finishTurn", params: { signal: "done" } }] },
      exited: { type: "final", entry: [{ type: "finishTurn", params: { signal: "exited" } }] },
      escalated: {
        type: "final",
        entry: [{ type: "finishTurn", params: { signal: "escalated" } }],
      },
      handedOff: {
        type: "final",
        entry: [{ type: "finishTurn", params: { signal: "handedOff" } }],
      },
      failed: { type: "final", entry: [{ type: "finishTurn", params: { signal: "failed" } }] },
      limited: { type: "final", entry: [{ type: "finishTurn", params: { signal: "limited" } }] },
      stopped: { type: "final", entry: [{ type: "finishTurn", params: { signal: "stopped" } }] },
    },
  } as const
}

export const llmAgentConfig = turnConfig({
  id: "llmAgent",
  callModel: "callModel",
  nextCall: "callingModel",
  onTooLong: [],
  ends: { done: "done", exited: "exited", escalated: "escalated" },
})
