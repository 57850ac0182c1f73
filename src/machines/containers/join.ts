import { systemKey } from "../data/system-keys.js"
import type { StateMeta } from "../contract/chart-machine.js"
import { visiblePatch } from "../contract/artifacts.js"
import { appendHistory, entriesSince } from "../contract/history.js"
import type { CollectedErrors } from "./branch-errors.js"
import { withBranchErrors } from "./branch-errors.js"
import type { JoiningBranch, MergeResult } from "./merge-branches.js"
import { mergeBranches } from "./merge-branches.js"
import type { OrchestrationContext, BranchScope } from "./orchestration-context.js"
import { changeScope, getScope, locationOf, pathsAround } from "./orchestration-context.js"
import type { RunError } from "../contract/run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import { entriesFrom, isEmptyPatch, patchOf, readKey } from "../data/session-state.js"
import type { MergeRule } from "../contract/agent-chart.js"
import type { Step } from "../contract/machine-kind.js"

/** Merge rule for the state key that counts user messages. The counts of all branches are added. */
const systemRules: Readonly<Record<string, MergeRule>> = { [systemKey.userMessageCount]: "add" }

/**
 * Merges the state changes of parallel branches. If `collecting` is not null, also stores the
 * errors of the branches under the state key `branch_errors`. `snapshot` is the state before the
 * block.
 */
export function mergeJoining(
  snapshot: SessionState,
  branches: readonly JoiningBranch[],
  rules: Readonly<Record<string, MergeRule>>,
  collecting: CollectedErrors | null,
): MergeResult {
  const inner = branches.map(({ name, patch }) => ({ branch: name, patch }))
  const merged = mergeBranches(snapshot, inner, { ...rules, ...systemRules })
  if (!merged.ok || collecting === null) return merged
  return { ok: true, state: withBranchErrors(snapshot, merged.state, branches, collecting) }
}

/**
 * Returns the text of a parallel block. It is the text of the last branch, in declaration order,
 * that has a text and did not fail.
 */
export const textOfBlock = (branches: readonly JoiningBranch[]): string | null =>
  branches.findLast((branch) => !branch.failed && branch.lastText !== null)?.lastText ?? null

/**
 * Merges the finished branches of a parallel block into the state from which the block started, and
 * discards the other branches. If `includeOpen` is true, branches that have not ended are merged
 * too.
 */
export function joinBranches(
  context: OrchestrationContext,
  meta: StateMeta,
  step: Step,
  includeOpen = false,
): void {
  const { joining, dropped } = branchesOf(context, meta, includeOpen)
  const parent = getScope(context, meta.scope)
  const merged = mergeJoining(
    parent.state,
    joining,
    step.chart.settings.stateMerge,
    meta.failurePolicy === "collect" ? { ended: joining, forEachAgent: null } : null,
  )
  context.scopes = withoutBranches(context.scopes, meta)
  const place = locationOf(context, meta)
  step.emit({
    type: "parallel.joined",
    merged: joining.map(({ name }) => name),
    dropped,
    ...place,
  })
  if (!merged.ok) {
    context.error = mergeError(meta.agent, merged.message)
    return
  }
  const text = textOfBlock(joining)
  const history =
    parent.history === null
      ? null
      : appendHistory(
          parent.history,
          joining.flatMap(({ newEntries }) => newEntries),
        )
  changeScope(context, meta.scope, {
    state: merged.state,
    text,
    lastText: text ?? parent.lastText,
    history,
  })
  emitMergedState(context, meta, parent.state, merged.state, step)
}

/**
 * Returns a copy of `scopes`, which contains the data of parallel branches by state path. The copy
 * omits the branches of this parallel block and all branches inside them.
 */
function withoutBranches(
  scopes: OrchestrationContext["scopes"],
  { branches = [] }: StateMeta,
): OrchestrationContext["scopes"] {
  const own = new Set(branches.map(({ scope }) => scope))
  const isInside = (place: string): boolean =>
    own.has(place) || pathsAround(place).some((path) => own.has(path))
  return Object.fromEntries(Object.entries(scopes).filter(([place]) => !isInside(place)))
}

export const mergeError = (agent: string, message: string): RunError => ({
  code: "state_merge_failed",
  agent,
  message: `agent "${agent}": ${message}`,
})

/**
 * Returns the error of a parallel block with `failurePolicy: "wait-all"` whose branches have
 * failed. The message lists the failed branches in declaration order.
 */
export function errorOfBranches(
  block: string,
  failed: readonly { readonly agent: string; readonly error: RunError }[],
): RunError {
  const [first, ...others] = failed
  const isOnly = first !== undefined && others.length === 0
  return {
    code: isOnly ? first.error.code : "branches_failed",
    agent: first?.error.agent ?? block,
    message: failed.map(({ agent, error }) => `branch "${agent}": ${error.message}`).join("; "),
    ...(isOnly && first.error.status !== undefined && { status: first.error.status }),
  }
}

/**
 * Returns whether merging the branches of a parallel block would fail. A guard calls this function
 * before the merge, so that the failure is a transition of the chart.
 */
export function joinFails(
  context: OrchestrationContext,
  meta: StateMeta,
  rules: Readonly<Record<string, MergeRule>>,
): boolean {
  return !mergeJoining(
    getScope(context, meta.scope).state,
    branchesOf(context, meta, false).joining,
    rules,
    null,
  ).ok
}

function branchesOf(
  context: OrchestrationContext,
  meta: StateMeta,
  includeOpen: boolean,
): { readonly joining: readonly JoiningBranch[]; readonly dropped: readonly string[] } {
  const joining: JoiningBranch[] = []
  const dropped: string[] = []
  const { branch } = locationOf(context, meta)
  for (const [index, { scope: place, agent }] of (meta.branches ?? []).entries()) {
    const scope: BranchScope | undefined = context.scopes[place]
    const name = `${branch === null ? "" : `${branch}.`}${meta.agent}.${index}`
    if (scope === undefined) continue
    if (scope.status === "open" && !includeOpen) {
      dropped.push(name)
      continue
    }
    const { state, lastText, status, error } = scope
    const newEntries =
      scope.history === null
        ? []
        : entriesSince(scope.history, getScope(context, meta.scope).history?.length ?? 0)
    joining.push({
      index,
      name,
      agent,
      patch: patchOf(state),
      lastText,
      newEntries,
      failed: status === "failed",
      error,
    })
  }
  return { joining, dropped }
}

function emitMergedState(
  context: OrchestrationContext,
  meta: StateMeta,
  before: SessionState,
  after: SessionState,
  step: Step,
): void {
  const patch = visiblePatch(differenceOf(before, after))
  if (!isEmptyPatch(patch))
    step.emit({
      type: "state.changed",
      set: patch.set,
      removed: patch.removed,
      ...locationOf(context, meta),
    })
}

/** Returns the keys and values that a merge changed. */
function differenceOf(before: SessionState, after: SessionState): StatePatch {
  const patch = patchOf({
    base: null,
    chunks: after.chunks.filter((chunk) => !before.chunks.includes(chunk)),
  })
  const changed = Object.entries(patch.set).filter(
    ([key, value]) => !Object.is(readKey(before, key), value),
  )
  return { set: entriesFrom(new Map(changed)), removed: patch.removed }
}
