/**
 * The XState config of a machine that runs a host function (docs/semantics.md#host-functions). The
 * function runs until its next step, the result of the step is recorded, and then the function
 * continues. If the step is a question, this machine waits for the answer. If the step runs a
 * sub-agent, this machine ends. The parent machine then runs the agent and starts this machine
 * again.
 */
export const hostFunctionConfig = {
  id: "hostCode",
  initial: "preparing",
  on: { "run.stopped": [{ target: "#hostCode.stopped", actions: [{ type: "stopHost" }] }] },
  states: {
    preparing: { always: [{ target: "#hostCode.running" }] },
    running: {
      invoke: {
        id: "host",
        src: "callHost",
        input: {},
        onDone: [
          {
            guard: { type: "returned" },
            target: "#hostCode.done",
            actions: [{ type: "applyOutcome" }],
          },
          {
            guard: { type: "tookStep" },
            target: "#hostCode.running",
            reenter: true,
            actions: [{ type: "applyOutcome" }, { type: "recordStep" }],
          },
          {
            guard: { type: "asks" },
            target: "#hostCode.waitingForHuman",
            actions: [{ type: "applyOutcome" }],
          },
          {
            guard: { type: "runsAgent" },
            target: "#hostCode.handedBack",
            actions: [{ type: "applyOutcome" }],
          },
          { target: "#hostCode.failed", actions: [{ type: "failHost" }] },
        ],
      },
    },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "askPerson" }],
      exit: [{ type: "stopTimer" }],
      on: {
        "user.said": [
          {
            guard: { type: "answersOpenRequest" },
            target: "#hostCode.running",
            actions: [{ type: "recordAnswer" }],
          },
        ],
        "human.answered": [
          {
            guard: { type: "answersOpenRequest" },
            target: "#hostCode.running",
            actions: [{ type: "recordAnswer" }],
          },
        ],
        "xstate.done.actor.expiry": [
          {
            guard: { type: "failsOnExpiry" },
            target: "#hostCode.failed",
            actions: [{ type: "expire" }],
          },
          { target: "#hostCode.running", actions: [{ type: "expire" }] },
        ],
      },
    },
    done: { type: "final" },
    handedBack: { type: "final" },
    failed: { type: "final" },
    stopped: { type: "final" },
  },
} as const
