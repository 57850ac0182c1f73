/**
 * Data for a transition that ends a graph before all of its nodes have ended. For example, a graph
 * ends early because a node failed.
 */
interface GraphEnding {
  readonly guard: { readonly type: string; readonly params?: { readonly signal: string } }
  readonly end: "exited" | "failed" | "limited"
  readonly actions?: readonly { readonly type: string }[]
}

/**
 * Returns the XState config of a machine that runs a graph. Each running node is a child actor.
 * When all nodes have ended, the machine runs the action `last.action`, which computes the result
 * of the graph. It then enters the state `last.state`, in which the guard `last.failed` checks
 * whether the graph has failed.
 */
export const graphMachineConfig = (
  id: string,
  endings: readonly GraphEnding[],
  last: { readonly state: string; readonly action: string; readonly failed: string },
) => ({
  id,
  initial: "starting",
  on: { "run.stopped": [{ target: `#${id}.stopped`, actions: [{ type: "stopGraph" }] }] },
  states: {
    starting: { always: [{ target: `#${id}.running`, actions: [{ type: "startGraph" }] }] },
    running: {
      on: {
        "xstate.done.actor.*": [{ actions: [{ type: "recordNode" }] }],
        "child.paused": [{ actions: [{ type: "setNodePaused" }] }],
        "child.resumed": [{ actions: [{ type: "setNodeResumed" }] }],
      },
      always: [
        ...endings.map(({ end, ...ending }) => ({ ...ending, target: `#${id}.${end}` })),
        {
          guard: { type: "graphFinished" },
          target: `#${id}.${last.state}`,
          actions: [{ type: last.action }],
        },
      ],
    },
    [last.state]: {
      always: [
        { guard: { type: last.failed }, target: `#${id}.failed` },
        { target: `#${id}.done` },
      ],
    },
    ...Object.fromEntries(
      ["done", "exited", "failed", "limited", "stopped"].map((signal) => [
        signal,
        { type: "final", entry: [{ type: "finishGraph", params: { signal } }] },
      ]),
    ),
  },
})
