import { isJsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { readKey, removeKey, writeKey } from "../data/session-state.js"
import { systemKey } from "../data/system-keys.js"
import type { JoiningBranch } from "./merge-branches.js"

/**
 * The branches of a parallel block whose errors are stored under the session state key
 * `branch_errors`.
 */
export interface CollectedErrors {
  /**
   * All branches that have ended. They include failed branches whose state changes are not merged.
   */
  readonly ended: readonly JoiningBranch[]
  /**
   * Id of the agent that all branches run, if the block has `forEach`. The keys of the errors then
   * contain the index of the branch, such as `writer[2]`. null if the block has no `forEach`.
   */
  readonly forEachAgent: string | null
}

type Errors = Map<string, unknown>

/**
 * Adds the errors of a parallel block's branches to `state` under the key `branch_errors`, and
 * returns the new state (docs/semantics.md#failures). `snapshot` is the state before the block. Its
 * errors of other blocks are kept. If there are no errors, the key is removed.
 */
export function withBranchErrors(
  snapshot: SessionState,
  state: SessionState,
  merged: readonly JoiningBranch[],
  { ended, forEachAgent }: CollectedErrors,
): SessionState {
  // Uses a Map, because copying an object for each failed branch would take quadratic time.
  const errors: Errors = new Map(entriesOf(readKey(snapshot, systemKey.branchErrors)))
  if (forEachAgent === null) addByAgent(errors, merged, ended)
  else addByIndex(errors, forEachAgent, merged, ended)
  return errors.size === 0
    ? removeKey(state, systemKey.branchErrors)
    : writeKey(state, systemKey.branchErrors, Object.fromEntries(errors))
}

function addByAgent(
  errors: Errors,
  merged: readonly JoiningBranch[],
  ended: readonly JoiningBranch[],
): void {
  for (const { patch } of merged)
    for (const [key, error] of writtenErrors(patch)) errors.set(key, error)
  for (const branch of ended) {
    errors.delete(branch.agent)
    setError(errors, branch.agent, branch)
  }
}

/**
 * Adds the errors of the branches of a block with `forEach`, with keys such as `writer[2]`. First
 * removes the errors that an earlier execution of the same block added.
 */
function addByIndex(
  errors: Errors,
  agent: string,
  merged: readonly JoiningBranch[],
  ended: readonly JoiningBranch[],
): void {
  const earlier = new Map(errors)
  for (const key of earlier.keys()) if (key.startsWith(`${agent}[`)) errors.delete(key)
  const joined = new Set(merged.map(({ index }) => index))
  for (const branch of ended) {
    const name = `${agent}[${branch.index}]`
    setError(errors, name, branch)
    if (!joined.has(branch.index)) continue
    for (const [key, error] of writtenErrors(branch.allWrites ?? branch.patch))
      if (!isSame(earlier.get(key), error)) errors.set(`${name}.${key}`, error)
  }
}

function setError(errors: Errors, name: string, branch: JoiningBranch): void {
  if (!branch.failed || branch.error === null) return
  const { message, agent, status } = branch.error
  errors.set(name, {
    message,
    agent: agent ?? branch.agent,
    ...(status !== undefined && { status }),
  })
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isJsonObject(value) ? Object.entries(value) : []

const writtenErrors = ({ set }: JoiningBranch["patch"]) =>
  Object.hasOwn(set, systemKey.branchErrors) ? entriesOf(set[systemKey.branchErrors]) : []

/**
 * Returns whether two errors are equal. Compares their JSON, because the errors in a restored
 * snapshot are copies.
 */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other))
