import type { MergeRule } from "../contract/agent-chart.js"
import type { History } from "../contract/history.js"
import type { RunError } from "../contract/run-event.js"
import { isList } from "../data/json-object.js"
import type { Chunk, SessionState, StatePatch } from "../data/session-state.js"
import { applyPatch, entriesFrom, hasKey, readKey } from "../data/session-state.js"

/** The name of a parallel branch and its changes of the session state. */
export interface BranchPatch {
  /** Name of the branch for error messages, such as `research.0`. */
  readonly branch: string
  readonly patch: StatePatch
}

/**
 * The result of a branch of a parallel block. The state changes of the branches are merged when the
 * block ends.
 */
export interface JoiningBranch {
  /**
   * Index of the branch. With `forEach`, it is the index of the item. Otherwise, it is the position
   * of the branch in the config, starting at 0.
   */
  readonly index: number
  readonly name: string
  readonly agent: string
  /**
   * State changes of the branch that are merged into the session state at the end of the parallel
   * block.
   */
  readonly patch: StatePatch
  /**
   * All state changes of the branch, including those that are not merged. Absent if all changes are
   * merged.
   */
  readonly allWrites?: StatePatch
  readonly lastText: string | null
  readonly newEntries: History
  readonly failed: boolean
  readonly error: RunError | null
}

export type MergeResult =
  | { readonly ok: true; readonly state: SessionState }
  | { readonly ok: false; readonly message: string }

/**
 * Merges the state changes of parallel branches into the state before the block, in declaration
 * order. If several branches wrote the same key, the value of the last branch is kept, unless the
 * key has a merge rule (docs/semantics.md#merging). If a value has the wrong type for its rule,
 * returns an error message that names the key and the branch.
 */
export function mergeBranches(
  snapshot: SessionState,
  branches: readonly BranchPatch[],
  rules: Readonly<Record<string, MergeRule>>,
): MergeResult {
  // All branches are combined into one patch. Applying them one by one would copy the keys of the
  // first branch repeatedly.
  const set = new Map<string, unknown>()
  const removed = new Set<string>()
  const writers = new Map<string, { readonly branch: string; readonly value: unknown }[]>()
  for (const { branch, patch } of branches) {
    for (const key of patch.removed) {
      set.delete(key)
      removed.add(key)
    }
    for (const key of Object.keys(patch.set)) {
      const value = patch.set[key]
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
      if (rule === undefined || rule === "replace") {
        set.set(key, value)
        removed.delete(key)
      } else {
        const earlier = writers.get(key)
        if (earlier === undefined) writers.set(key, [{ branch, value }])
        else earlier.push({ branch, value })
      }
    }
  }
  for (const [key, written] of writers) {
    const rule = rules[key] ?? "replace"
    const before = hasKey(snapshot, key) ? { value: readKey(snapshot, key) } : null
    const result = combine(rule, before, written, key)
    if (!result.ok) return result
    set.set(key, result.value)
    removed.delete(key)
  }
  const all: Chunk = { set: entriesFrom(set), removed: [...removed], size: set.size + removed.size }
  return { ok: true, state: applyPatch(snapshot, all) }
}

type Combined =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

function combine(
  rule: MergeRule,
  before: { readonly value: unknown } | null,
  written: readonly { readonly branch: string; readonly value: unknown }[],
  key: string,
): Combined {
  switch (rule) {
    case "replace":
      return { ok: true, value: written.at(-1)?.value }
    case "add":
    case "max":
    case "min":
      return combineNumbers(rule, before, written, key)
    case "append":
    case "union":
      return combineLists(rule, before, written)
  }
}

function combineNumbers(
  rule: "add" | "max" | "min",
  before: { readonly value: unknown } | null,
  written: readonly { readonly branch: string; readonly value: unknown }[],
  key: string,
): Combined {
  if (before !== null && typeof before.value !== "number") {
    return wrongType(key, rule, "the state before the fork", before.value)
  }
  const start = before === null ? null : (before.value as number)
  let result = start
  for (const { branch, value } of written) {
    if (typeof value !== "number") return wrongType(key, rule, `branch ${branch}`, value)
    if (rule === "add") result = (result ?? 0) + value - (start ?? 0)
    else if (result === null) result = value
    else result = rule === "max" ? Math.max(result, value) : Math.min(result, value)
  }
  return { ok: true, value: result }
}

const wrongType = (key: string, rule: string, who: string, value: unknown): Combined => ({
  ok: false,
  message: `stateMerge "${rule}" on the key "${key}" needs numbers, but ${who} has ${JSON.stringify(value) ?? "nothing"}`,
})

/**
 * Combines a list in the session state with the elements that the branches of a parallel block
 * added to it. `before` is the list at the start of the block. A value that is not a list is
 * treated as one element. With the rule `union`, duplicates are omitted.
 */
function combineLists(
  rule: "append" | "union",
  before: { readonly value: unknown } | null,
  written: readonly { readonly branch: string; readonly value: unknown }[],
): Combined {
  const start = before === null ? [] : isList(before.value) ? before.value : [before.value]
  const result: unknown[] = [...start]
  const seen = rule === "union" ? new Set(start.map((element) => JSON.stringify(element))) : null
  for (const { value } of written) {
    for (const element of isList(value) ? newElements(start, value) : [value]) {
      if (seen !== null) {
        const text = JSON.stringify(element)
        if (seen.has(text)) continue
        seen.add(text)
      }
      result.push(element)
    }
  }
  return { ok: true, value: result }
}

/**
 * Returns the elements of `list` that a branch added. The elements at the start of the list that
 * equal the list before the block are not new.
 */
function newElements(start: readonly unknown[], list: readonly unknown[]): readonly unknown[] {
  let shared = 0
  while (
    shared < start.length &&
    shared < list.length &&
    JSON.stringify(start[shared]) === JSON.stringify(list[shared])
  )
    shared++
  return list.slice(shared)
}
