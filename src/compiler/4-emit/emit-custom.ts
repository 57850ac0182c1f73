import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ChartState, NamedAction } from "../../machines/contract/chart-machine.js"
import type { CustomAgentNode } from "../2-resolve/agent-node.js"
import { endTransitions, failureOf, transition } from "./outcomes.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { Siblings, childPosition, finalTarget, metaOf, targetOf } from "./state-position.js"

/**
 * Generates the states of a custom agent (docs/semantics.md#host-functions): the state `thinking`,
 * in which its host function runs, and one state for each sub-agent. When the function runs a
 * sub-agent, the machine enters the state of the sub-agent and then returns to `thinking`.
 * Therefore custom agents are drawn, journaled and resumed like other agents.
 */
export function emitCustom(
  agent: CustomAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place } = site
  const action = (type: string): NamedAction => ({ type, params: { place } })
  const thinking = {
    target: targetOf(draft, `${place}.thinking`),
    actions: [action("recordAgent")],
  }
  const inside: StatePosition = {
    ...site,
    path: `${site.path}[*]`,
    counters: [...site.counters, place],
    boundaries: [{ type: "host", place }, ...site.boundaries],
  }
  const siblings = new Siblings()
  const children = agent.subAgents.map((child) => ({ child, ...siblings.next(child) }))
  const states = Object.fromEntries(
    children.map(({ child, key, segment }) => [
      key,
      draft.emitAgent(child, childPosition(inside, key, segment), thinking),
    ]),
  )
  const innerSite: StatePosition = { ...site, place: `${place}.thinking` }
  const done: TransitionTarget = { target: finalTarget(draft, place, "done"), actions: [] }
  const apply = [action("applyHostCode")]
  return {
    meta: metaOf(site, agent),
    tags: ["custom"],
    entry: [action("enterCustom")],
    initial: "thinking",
    states: {
      thinking: {
        invoke: {
          id: place,
          src: "hostCode",
          input: {
            place,
            service: agent.service,
            agents: agent.subAgents.map(({ id }) => id),
            ...withoutNulls({ factory: agent.fields }),
          },
          onDone: [
            ...children.map(({ child, key }) => ({
              guard: { type: "runsAgent", params: { agent: child.id } },
              target: targetOf(draft, `${place}.${key}`),
              actions: [...apply, { type: "beginAgent", params: { place, agent: child.id } }],
            })),
            transition({ type: "hostReturned" }, done, apply),
            { guard: { type: "hostStopped" }, actions: apply },
            transition(null, failureOf(innerSite), apply),
          ],
        },
      },
      ...states,
      done: { type: "final" },
    },
    onDone: endTransitions(site, next, [action("finishAgent")]),
  }
}
