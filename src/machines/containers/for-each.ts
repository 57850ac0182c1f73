import { AgentStatechartsError } from "../../errors.js"
import type { ForEach } from "../contract/chart-machine.js"
import type { Step } from "../contract/machine-kind.js"
import type { RunError } from "../contract/run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import {
  applyPatch,
  emptyPatch,
  entriesFrom,
  forkState,
  isHiddenKey,
  noRemovedKeys,
  singleEntry,
  toObject,
  writeKey,
} from "../data/session-state.js"
import { systemKey } from "../data/system-keys.js"
import { addCondition } from "./conditions.js"
import type { FanContext } from "./fan-context.js"

/**
 * Returns the state key that contains the index of a branch's item. `as` is the state key of the
 * item itself. For example, returns `order_index` for `order`.
 */
const indexKeyOf = (as: string): string => `${as}_index`

/**
 * Evaluates the expression that returns the items of a parallel block with `forEach`. Returns an
 * error if the expression fails, if its value is not a list, or if the list has more than
 * `maxItems` items.
 */
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
 * Prepares the evaluation of a condition and returns the session state as an object. Its
 * `current_agent_loop_iteration` contains the iteration index of the innermost loop. Also increases
 * the shared budget of evaluation steps for this condition.
 */
export function conditionState(
  state: SessionState,
  iteration: number | null,
  step: Step,
): Record<string, unknown> {
  const entries = toObject(state)
  addCondition(step, entries)
  if (iteration !== null) entries[systemKey.loopIteration] = iteration
  return entries
}

/**
 * Returns the session state with which a parallel branch starts. It is the state before the block.
 * With `forEach`, it also contains the item and its index.
 */
export function stateOfBranch(
  { input: { state, fan }, items }: FanContext,
  index: number,
): SessionState {
  if (fan.forEach === undefined) return state
  const { as } = fan.forEach
  const set = singleEntry(as, items?.[index])
  set[indexKeyOf(as)] = index
  return applyPatch(forkState(state), { set, removed: noRemovedKeys })
}

/**
 * Returns the state changes of a `forEach` branch that are merged into the state of the block.
 * These are changes of keys with a merge rule other than `replace`, and of hidden keys. Hidden keys
 * contain internal data, such as artifacts. All other changes are discarded
 * (docs/semantics.md#parallel-blocks-over-a-list).
 */
export function leavingWrites(
  patch: StatePatch,
  forEach: ForEach,
  rules: Readonly<Record<string, string>>,
): StatePatch {
  const keys = Object.keys(patch.set).filter((key) => leavesBranch(key, forEach, rules))
  const removed = patch.removed.filter(isHiddenKey)
  if (keys.length === 0 && removed.length === 0) return emptyPatch
  return { set: entriesFrom(new Map(keys.map((key) => [key, patch.set[key]]))), removed }
}

/**
 * Returns whether the changes of a `forEach` branch to this state key are merged into the state of
 * the block.
 */
export function leavesBranch(
  key: string,
  { as, collect }: ForEach,
  rules: Readonly<Record<string, string>>,
): boolean {
  if (isHiddenKey(key) || key === systemKey.userMessageCount) return true
  const merges = Object.hasOwn(rules, key) && rules[key] !== "replace"
  return merges && key !== as && key !== indexKeyOf(as) && !Object.hasOwn(collect, key)
}

/**
 * Sets the state keys that the setting `collect` of a `forEach` block names. Each key receives a
 * list with one value for each item. The value is null if the branch of the item did not write it.
 * `patches` contains the state changes of the branches by item index.
 */
export function collectLists(
  state: SessionState,
  { collect }: ForEach,
  patches: readonly (StatePatch | null)[],
): SessionState {
  let collected = state
  for (const [target, source] of Object.entries(collect)) {
    const list = patches.map((patch): unknown =>
      patch !== null && Object.hasOwn(patch.set, source) ? patch.set[source] : null,
    )
    collected = writeKey(collected, target, list)
  }
  return collected
}
