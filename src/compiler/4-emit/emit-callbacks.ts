import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import type { AgentNode, SequentialAgentNode } from "../2-resolve/agent-node.js"
import { endTransitions, failureOf, transition } from "./outcomes.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { Siblings, finalTarget, metaOf, targetOf } from "./state-position.js"

type AgentHooks = NonNullable<SequentialAgentNode["hooks"]>

/**
 * Generates the states of a container and its callbacks (docs/semantics.md#callbacks). An outer
 * state runs the callbacks before and after the container's own state. If a callback before the
 * container returns a result, the container is skipped. A callback after the container can replace
 * the container's text. A container without callbacks has no outer state.
 */
export function emitWithCallbacks(
  agent: AgentNode,
  hooks: AgentHooks,
  site: StatePosition,
  next: TransitionTarget,
  emitInner: (site: StatePosition, next: TransitionTarget) => ChartState,
): ChartState {
  const { draft, place } = site
  const { key } = new Siblings().next(agent)
  const { beforeAgent = [], afterAgent = [] } = hooks
  const done: TransitionTarget = { target: finalTarget(draft, place, "done"), actions: [] }
  const inner: TransitionTarget = { target: targetOf(draft, `${place}.${key}`), actions: [] }
  const after: TransitionTarget =
    afterAgent.length === 0 ? done : { target: targetOf(draft, `${place}.afterAgent`), actions: [] }
  const apply = [{ type: "applyCallbacks", params: { place } }]

  const hookState = (
    hook: keyof AgentHooks,
    services: readonly HookUse[],
    answered: string,
    next: TransitionTarget,
  ): ChartState => ({
    tags: ["callback"],
    invoke: {
      id: `${place}.${hook}`,
      src: "hookList",
      input: { place, hook, services },
      onDone: [
        transition(
          { type: "callbackThrew" },
          failureOf({ ...site, place: `${place}.${hook}` }),
          apply,
        ),
        transition({ type: "callbackAnswered" }, done, [
          ...apply,
          { type: answered, params: { place } },
        ]),
        transition(null, next, apply),
      ],
    },
  })

  return {
    meta: metaOf(site, agent, { callbacks: true }),
    tags: ["callbacks"],
    initial: beforeAgent.length === 0 ? key : "beforeAgent",
    states: {
      ...(beforeAgent.length > 0 && {
        beforeAgent: hookState("beforeAgent", beforeAgent, "answerInstead", inner),
      }),
      [key]: emitInner({ ...site, place: `${place}.${key}` }, after),
      ...(afterAgent.length > 0 && {
        afterAgent: hookState("afterAgent", afterAgent, "replaceText", done),
      }),
      done: { type: "final" },
    },
    onDone: endTransitions(site, next),
  }
}
