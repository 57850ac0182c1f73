import { AgentStatechartsError } from "../../errors.js"
import type { ForEach } from "../contract/chart-machine.js"
import type { Step } from "../contract/machine-kind.js"
import type { RunError } from "../contract/run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import {
  applyPatch,
  forkState,
  isHiddenKey,
  nothing,
  toObject,
  writeKey,
} from "../data/session-state.js"
import { systemKey } from "../data/system-keys.js"
import type { FanContext } from "./fan-context.js"

/** Key of the index of the item inside a branch. */
export const indexKeyOf = (as: string): string => `${as}_index`

/** Returns the items of a block, or the error with which the block fails before a branch starts. */
export function evaluateItems(
  { input }: FanContext,
  { items: source, maxItems }: ForEach,
  step: Step,
): { readonly items: readonly unknown[] } | { readonly error: RunError } {
  const refused = (code: RunError["code"], problem: string) => ({
    error: {
      code,
      agent: input.agent,
      message: `agent "${input.agent}": forEach: ${JSON.stringify(source)} ${problem}`,
    },
  })
  try {
    const { type, toJson } = step
      .condition(source)
      .evaluate(conditionState(input.state, input.iteration, step), step.conditionSteps)
    if (type !== "list" && type !== "tuple")
      return refused(
        "for_each_not_a_list",
        `must return a list, but it returns a value of type ${type}`,
      )
    // A list or a tuple is converted to an array.
    const items = toJson() as readonly unknown[]
    if (items.length > maxItems)
      return refused(
        "for_each_too_many_items",
        `returns ${items.length} items, but maxItems is ${maxItems}`,
      )
    return { items }
  } catch (cause) {
    if (!(cause instanceof AgentStatechartsError)) throw cause
    return refused("for_each_failed", `could not be evaluated: ${cause.message}`)
  }
}

/**
 * Returns the state that a condition reads. The key `current_agent_loop_iteration` is the index of
 * the innermost enclosing loop. Copying the state also takes time, so it uses steps of the budget.
 */
export function conditionState(
  state: SessionState,
  iteration: number | null,
  step: Step,
): Record<string, unknown> {
  const entries = toObject(state)
  step.conditionSteps.left -= Object.keys(entries).length / 8
  if (iteration !== null) entries[systemKey.loopIteration] = iteration
  return entries
}

/** Returns the state of a branch: the state at the entry of the block plus the item and its index. */
export function stateOfBranch(
  { input: { state, fan }, items }: FanContext,
  index: number,
): SessionState {
  if (fan.forEach === undefined) return state
  const { as } = fan.forEach
  return applyPatch(forkState(state), {
    set: Object.fromEntries([
      [as, items?.[index]],
      [indexKeyOf(as), index],
    ]),
    removed: nothing,
  })
}

/**
 * Returns the writes of a branch that leave it: the keys with a merge rule and the artifacts. All
 * other writes are dropped (docs/semantics.md#parallel-blocks-over-a-list).
 */
export function leavingWrites(
  patch: StatePatch,
  { as, collect }: ForEach,
  rules: Readonly<Record<string, string>>,
): StatePatch {
  const set: [string, unknown][] = []
  for (const key in patch.set) {
    const merges = Object.hasOwn(rules, key) && rules[key] !== "replace"
    const isOwn = key === as || key === indexKeyOf(as) || Object.hasOwn(collect, key)
    if (isHiddenKey(key) || key === systemKey.userMessageCount || (merges && !isOwn))
      set.push([key, patch.set[key]])
  }
  return { set: Object.fromEntries(set), removed: patch.removed.filter(isHiddenKey) }
}

/**
 * Writes the collected lists into the state. Each list has one element for each item: the value
 * that the branch wrote, or null.
 */
export function collectLists(
  state: SessionState,
  { collect }: ForEach,
  count: number,
  patches: ReadonlyMap<number, StatePatch>,
): SessionState {
  let collected = state
  for (const [target, source] of Object.entries(collect)) {
    const list = Array.from({ length: count }, (_, index): unknown => {
      const set = patches.get(index)?.set
      return set !== undefined && Object.hasOwn(set, source) ? set[source] : null
    })
    collected = writeKey(collected, target, list)
  }
  return collected
}
