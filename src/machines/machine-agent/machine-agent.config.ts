/**
 * The XState config of a MachineAgent (docs/semantics.md#machine-agents). A MachineAgent runs an
 * XState machine that the user has registered. A host function executes each transition of the
 * user's machine, and returns its persisted snapshot. The agents and promises that the user's
 * machine invokes run as child actors of this config's machine.
 */
export const machineAgentConfig = {
  id: "machineAgent",
  initial: "starting",
  on: { "run.stopped": [{ target: "#machineAgent.stopped", actions: [{ type: "stopMachine" }] }] },
  states: {
    starting: {
      always: [{ target: "#machineAgent.running", actions: [{ type: "startMachine" }] }],
    },
    running: {
      on: {
        "xstate.done.actor.transition": [{ actions: [{ type: "applyTransition" }] }],
        "xstate.done.actor.*": [{ actions: [{ type: "recordActor" }] }],
        "child.paused": [{ actions: [{ type: "setActorPaused" }] }],
        "child.resumed": [{ actions: [{ type: "setActorResumed" }] }],
        "human.answered": [
          { guard: { type: "answersOpenRequest" }, actions: [{ type: "takeEvent" }] },
        ],
      },
      always: [
        { guard: { type: "machineLimited" }, target: "#machineAgent.limited" },
        { guard: { type: "machineExited" }, target: "#machineAgent.exited" },
        { guard: { type: "machineFailed" }, target: "#machineAgent.failed" },
        { guard: { type: "machineDone" }, target: "#machineAgent.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishMachineAgent", params: { signal: "done" } }] },
    exited: {
      type: "final",
      entry: [{ type: "finishMachineAgent", params: { signal: "exited" } }],
    },
    failed: {
      type: "final",
      entry: [{ type: "finishMachineAgent", params: { signal: "failed" } }],
    },
    limited: {
      type: "final",
      entry: [{ type: "finishMachineAgent", params: { signal: "limited" } }],
    },
    stopped: {
      type: "final",
      entry: [{ type: "finishMachineAgent", params: { signal: "stopped" } }],
    },
  },
} as const
