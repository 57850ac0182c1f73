import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { Position } from "../2-resolve/agent-node.js"
import { failureOf, transition } from "./outcomes.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { Siblings, childPosition, targetOf } from "./state-position.js"

interface Placed {
  readonly position: Position
  readonly site: StatePosition
  readonly key: string
  /**
   * Key of the state that checks the `when` condition. Without a condition, the key of the agent's
   * state.
   */
  readonly entryKey: string
}

/**
 * Generates the states of a container that runs its agents in order. `passed` returns the actions
 * to execute between an agent and the next agent. `last` is the transition after the last agent. If
 * an agent has a `when` condition, a separate state before the agent checks it, so that drawings
 * show the decision.
 */
export function emitPositions(
  site: StatePosition,
  positions: readonly Position[],
  container: string,
  passed: (completed: number) => TransitionTarget["actions"],
  last: TransitionTarget,
): { readonly initial: string; readonly states: Record<string, ChartState> } {
  const siblings = new Siblings()
  const placed = positions.map((position, index): Placed => {
    const { key, segment } = siblings.next(position.agent)
    const skips = [...positions.slice(index + 1).map(({ agent }) => agent.id), ...site.skips]
    return {
      position,
      key,
      entryKey: position.when === null ? key : `when_${key}`,
      site: childPosition(site, key, segment, { skips }),
    }
  })
  const states: Record<string, ChartState> = {}
  for (const [index, { position, key, entryKey, site: inner }] of placed.entries()) {
    const following = placed[index + 1]
    const target =
      following === undefined
        ? last.target
        : targetOf(site.draft, `${site.place}.${following.entryKey}`)
    if (position.when !== null) {
      states[entryKey] = emitWhen(inner, position.when, container, {
        target,
        actions: following === undefined ? last.actions : [],
      })
    }
    states[key] = site.draft.emitAgent(position.agent, inner, {
      target,
      actions: following === undefined ? last.actions : passed(index + 1),
    })
  }
  return { initial: placed[0]?.entryKey ?? "done", states }
}

/**
 * Generates the state that checks a `when` condition and then runs or skips the agent
 * (docs/semantics.md#conditions).
 */
export function emitWhen(
  site: StatePosition,
  condition: string,
  container: string,
  skip: TransitionTarget,
): ChartState {
  const { place } = site
  const skipped = {
    target: skip.target,
    actions: [{ type: "skipAgent", params: { place, condition } }, ...skip.actions],
  }
  return {
    tags: ["choice"],
    entry: [{ type: "checkWhen", params: { place, condition, container } }],
    always: [
      {
        guard: { type: "conditionHolds", params: { place, condition } },
        target: targetOf(site.draft, place),
      },
      transition({ type: "conditionFails", params: { place } }, failureOf(site)),
      transition(null, skipped),
    ],
  }
}
