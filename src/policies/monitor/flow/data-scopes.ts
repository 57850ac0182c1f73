import type { ForEach } from "../../../machines/contract/chart-machine.js"
import type { PathFrames } from "../path-frames.js"

/**
 * Records which values are tainted in a part of a run with its own session state. The part is the
 * root, a branch, a graph node, or an agent that an AgentTool runs. Tainted values contain data
 * from a source of the `noFlow` policy. A boolean field is true if its value is tainted. `keys`
 * contains the tainted session state keys.
 */
export interface DataScope {
  readonly id: string
  readonly branch: string | null
  readonly keys: Set<string>
  /**
   * Whether the session history contains data from a source of the policy. Always false if the
   * chart does not use the adk dialect.
   */
  history: boolean
  /** Whether the text of the agent that finished last contains data from a source of the policy. */
  text: boolean
  /**
   * Whether the input of the first agents in this data scope contains data from a source of the
   * policy. A data scope is a part of a run with its own session state. null means that the input
   * is the user's prompt.
   */
  readonly input: boolean | null
}

/**
 * Records that a session state key was overwritten. `isData` is true if the new value contains data
 * from a source of the policy.
 */
export function writeKey({ keys }: DataScope, key: string, isData: boolean): void {
  if (isData) keys.add(key)
  else keys.delete(key)
}

/**
 * All open data scopes of a run, by agent path. A data scope records which values in a part of the
 * run are tainted, which means that they contain data from a source of the policy.
 */
export class DataScopes {
  readonly #byId = new Map<string, DataScope>()
  /**
   * The data scopes inside each parallel block, graph or tool call, by its path. A data scope
   * records the tainted values in a part of the run.
   */
  readonly #inside = new Map<string, DataScope[]>()
  readonly #frames: PathFrames

  constructor(frames: PathFrames, root: DataScope) {
    this.#frames = frames
    this.#byId.set("", root)
  }

  /**
   * Returns the innermost data scope that contains the agent at a path. A data scope records which
   * values contain data from a source of the policy.
   */
  scopeAt(path: string): DataScope {
    const frames = this.#frames.of(path)
    for (let index = frames.length - 1; index >= 0; index--) {
      const scope = this.#byId.get(frames[index]?.id ?? "")
      if (scope !== undefined) return scope
    }
    // The scope of the root is never removed.
    return this.#byId.get("") as DataScope
  }

  /**
   * Opens a data scope, which records the tainted values in a part of the run. `around` is the path
   * of the enclosing block, graph or tool call.
   */
  open(around: string, scope: DataScope): void {
    this.#byId.set(scope.id, scope)
    const known = this.#inside.get(around)
    if (known === undefined) this.#inside.set(around, [scope])
    else known.push(scope)
  }

  /**
   * Closes all data scopes inside a block, graph or tool call, and returns them. A data scope
   * records the tainted values in a part of the run. `around` is the path of the block, graph or
   * call.
   */
  close(around: string): readonly DataScope[] {
    const scopes = this.#inside.get(around) ?? []
    this.#inside.delete(around)
    for (const { id } of scopes) this.#byId.delete(id)
    return scopes
  }

  /**
   * Closes all data scopes inside tool calls whose path begins with `prefix`, and returns them. A
   * data scope records the tainted values in a part of the run.
   */
  closeAll(prefix: string): readonly DataScope[] {
    const calls = [...this.#inside.keys()].filter((around) => around.startsWith(prefix))
    return calls.flatMap((around) => this.close(around))
  }
}

/**
 * Adds the tainted keys and the tainted history of `from` to `into`. Tainted values contain data
 * from a source of the `noFlow` policy.
 */
export function mergeScope(into: DataScope, from: DataScope): void {
  for (const key of from.keys) into.keys.add(key)
  into.history ||= from.history
}

export const forkScope = (
  from: DataScope,
  id: string,
  branch: string | null,
  changes: Partial<Pick<DataScope, "history" | "input">> = {},
): DataScope => ({
  id,
  branch,
  keys: new Set(from.keys),
  history: from.history,
  text: false,
  input: from.input,
  ...changes,
})

/**
 * Copies the tainted values of a finished branch to the scope of its parallel block. Tainted values
 * contain data from a source of the policy. `collect` maps each key of the block to the branch key
 * that provides its value.
 */
export function joinScope(scope: DataScope, branch: DataScope, collect: ForEach["collect"]): void {
  mergeScope(scope, branch)
  scope.text ||= branch.text
  for (const [target, source] of Object.entries(collect))
    if (branch.keys.has(source)) scope.keys.add(target)
}

/**
 * Returns the initial data scope of a branch of a parallel block. In a `forEach` block, the key of
 * the item is tainted (contains data from a source of the policy) if the list expression reads
 * tainted data.
 */
export function branchScope(
  outer: DataScope,
  path: string,
  branch: string | null,
  forEach: ForEach | undefined,
): DataScope {
  const scope = forkScope(outer, path, branch)
  const reads = forEach?.items.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  if (forEach !== undefined && reads.some((key) => outer.keys.has(key))) scope.keys.add(forEach.as)
  return scope
}
