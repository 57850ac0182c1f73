const answers = {
  guard: { type: "answersOpenRequest" },
  actions: [{ type: "passAnswer" }],
} as const

/**
 * The XState config of a WorkflowAgent (docs/semantics.md#calls-of-workflows). The actor `call`
 * starts the child run, or attaches to it. It returns when the child run has ended, waits for a
 * person, or has other pending requests than before.
 */
export const workflowAgentConfig = {
  id: "workflowAgent",
  initial: "starting",
  on: {
    "run.stopped": [{ target: "#workflowAgent.stopped", actions: [{ type: "stopCalling" }] }],
  },
  states: {
    starting: {
      always: [{ target: "#workflowAgent.calling", actions: [{ type: "startCalling" }] }],
    },
    calling: {
      on: {
        "xstate.done.actor.call": [{ actions: [{ type: "takeProgress" }] }],
        "xstate.done.actor.pause": [{ actions: [{ type: "callAgain" }] }],
        "xstate.done.actor.deadline": [{ actions: [{ type: "passCallDeadline" }] }],
        "human.approved": [answers],
        "human.rejected": [answers],
        "human.answered": [answers],
        "user.said": [answers],
        "tool.delivered": [answers],
      },
      always: [
        { guard: { type: "childFailed" }, target: "#workflowAgent.failed" },
        { guard: { type: "childDone" }, target: "#workflowAgent.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishCalling", params: { signal: "done" } }] },
    failed: { type: "final", entry: [{ type: "finishCalling", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishCalling", params: { signal: "stopped" } }] },
  },
} as const
