import { systemKey } from "../data/system-keys.js"
import type { StateMeta } from "../contract/chart-machine.js"
import { joinBranches } from "./join.js"
import type { OrchestrationContext } from "./orchestration-context.js"
import { changeScope, getScope, locationOf } from "./orchestration-context.js"
import type { LoopExitReason, Outcome } from "../contract/run-event.js"
import { noRemovedKeys, singleEntry, readKey, writeKey } from "../data/session-state.js"
import type { Step } from "../contract/machine-kind.js"

type Context = OrchestrationContext

/**
 * Writes a key to the session state of the branch that contains an agent, and emits
 * `state.changed`. Does nothing if the value does not change.
 */
export function writeState(
  context: Context,
  meta: StateMeta,
  key: string,
  value: unknown,
  step: Step,
): void {
  const scope = getScope(context, meta.scope)
  if (Object.is(readKey(scope.state, key), value)) return
  changeScope(context, meta.scope, { state: writeKey(scope.state, key, value) })
  const { agent, path, branch } = locationOf(context, meta)
  step.emit({
    type: "state.changed",
    set: singleEntry(key, value),
    removed: noRemovedKeys,
    agent,
    path,
    branch,
  })
}

/**
 * Ends a container, such as a sequence or a loop. Stores the text of its last agent under the
 * container's output key and emits `agent.finished`. If the text is null, the output key does not
 * change (docs/semantics.md#sequences).
 */
export function closeContainer(
  context: Context,
  meta: StateMeta,
  outcome: Outcome,
  step: Step,
): void {
  if (meta.team === true || meta.callbacks === true) return
  const { text } = getScope(context, meta.scope)
  const writesText = outcome === "done" || outcome === "exited" || outcome === "escalated"
  if (writesText && meta.outputKey !== undefined && text !== null)
    writeState(context, meta, meta.outputKey, text, step)
  const { agent, path, branch } = locationOf(context, meta)
  step.emit({ type: "agent.finished", kind: meta.kind, outcome, text, agent, path, branch })
}

/**
 * Ends all containers, such as loops, that contain the state `place` and are inside the state
 * `upTo`. The innermost container ends first. If `upTo` is `""`, ends all containers of the
 * machine. At the end of a parallel block, the finished branches and the branch of this state are
 * merged. Other branches are discarded.
 */
export function leaveContainers(
  context: Context,
  place: string,
  upTo: string,
  outcome: Outcome,
  step: Step,
): void {
  if (outcome === "failed") moveErrorToMachine(context, branchOf(context, place))
  let path = place
  while (path.includes(".")) {
    path = path.slice(0, path.lastIndexOf("."))
    if (path === upTo && upTo !== "") {
      if (outcome === "failed" && isBranch(context, upTo)) moveErrorToBranch(context, upTo)
      return
    }
    if (isBranch(context, path)) {
      changeScope(context, path, { status: outcome === "failed" ? "failed" : "done" })
      if (outcome === "failed") addBranchName(context, path, step)
      continue
    }
    const meta = step.metaOf(path)
    if (meta.branches !== undefined) joinBranches(context, meta, step)
    if (meta.kind === "LoopAgent" && outcome === "escalated")
      writeState(context, meta, systemKey.loopExitReason, "escalate" satisfies LoopExitReason, step)
    closeContainer(context, meta, outcome, step)
  }
}

/**
 * Moves an error that is stored in a branch, for example of a failed condition, to `context.error`.
 * There, it becomes the error of the machine or of an enclosing branch.
 */
function moveErrorToMachine(context: Context, scope: string): void {
  const { error } = getScope(context, scope)
  if (error === null) return
  context.error = error
  changeScope(context, scope, { error: null })
}

/**
 * Moves the error of the machine to a branch. Each branch has its own error, because several
 * branches can fail in the same step.
 */
function moveErrorToBranch(context: Context, branch: string): void {
  changeScope(context, branch, { error: context.error })
  context.error = null
}

/**
 * Appends the name of the failed branch to the message of `context.error`, for example `(branch
 * research.0)`.
 */
function addBranchName(context: Context, place: string, step: Step): void {
  if (context.error === null) return
  const parallel = step.metaOf(place.slice(0, place.lastIndexOf(".")))
  const index = (parallel.branches ?? []).findIndex(({ scope }) => scope === place)
  const { branch } = locationOf(context, parallel)
  const name = `${branch === null ? "" : `${branch}.`}${parallel.agent}.${index}`
  context.error = { ...context.error, message: `${context.error.message} (branch ${name})` }
}

/**
 * Returns the path of the innermost parallel branch that contains the state with the path `place`.
 * Returns `""` outside branches.
 */
function branchOf(context: Context, place: string): string {
  let path = place
  while (path !== "" && !isBranch(context, path))
    path = path.slice(0, Math.max(0, path.lastIndexOf(".")))
  return path
}

const isBranch = (context: Context, place: string): boolean => Object.hasOwn(context.scopes, place)
