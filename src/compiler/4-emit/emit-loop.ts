import type { ChartState, NamedAction } from "../../machines/contract/chart-machine.js"
import type { LoopExitReason } from "../../machines/contract/run-event.js"
import type { LoopAgentNode } from "../2-resolve/agent-node.js"
import { endTransitions, failureOf, transition } from "./outcomes.js"
import { emitPositions } from "./positions.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { finalTarget, metaOf, targetOf } from "./state-position.js"

/**
 * Generates the states of a loop: the states of its agents, and a state `checking` after them. This
 * state checks the exit condition and the maximum, and then ends or repeats the loop
 * (docs/semantics.md#loops).
 */
export function emitLoop(
  agent: LoopAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place } = site
  const action = (type: string): NamedAction => ({ type, params: { place } })
  const check = { target: targetOf(draft, `${place}.checking`), actions: [] }
  const inside: StatePosition = {
    ...site,
    path: `${site.path}[*]`,
    loops: [...site.loops, place],
    counters: [...site.counters, place],
  }
  const { initial, states } = emitPositions(inside, agent.subAgents, agent.id, () => [], check)
  const done = finalTarget(draft, place, "done")
  const { exitCondition: condition, maxIterations: max } = agent
  const end = (reason: LoopExitReason): readonly NamedAction[] => [
    { type: "endLoop", params: { place, reason } },
  ]
  return {
    meta: metaOf(site, agent),
    tags: ["loop"],
    entry: [action("enterLoop")],
    initial,
    states: {
      ...states,
      checking: {
        tags: ["choice"],
        ...(condition !== null && {
          entry: [{ type: "checkExitCondition", params: { place, condition } }],
        }),
        always: [
          ...(condition === null
            ? []
            : [
                {
                  guard: { type: "exitConditionHolds", params: { place, condition } },
                  target: done,
                  actions: end("exit_condition"),
                },
                transition(
                  { type: "conditionFails", params: { place } },
                  failureOf({ ...site, place: `${place}.checking` }),
                ),
              ]),
          ...(max === null
            ? []
            : [
                {
                  guard: { type: "maximumReached", params: { place, max } },
                  target: done,
                  actions: end("max_agent_loop_iterations"),
                },
              ]),
          {
            target: targetOf(draft, `${place}.${initial}`),
            actions: [action("nextIteration")],
          },
        ],
      },
      done: { type: "final" },
    },
    onDone: endTransitions(site, next, [action("finishAgent")]),
  }
}
