import type { ForEach } from "../../../machines/contract/chart-machine.js"
import type { PathFrames } from "../path-frames.js"

/**
 * Records which values contain data from a source of a policy, for one part of a run that has its
 * own state: the root, a branch, a graph node, or the target of an AgentTool. A field is true if
 * its value contains such data. `keys` contains the state keys with such data.
 */
export interface DataScope {
  readonly id: string
  readonly branch: string | null
  readonly keys: Set<string>
  /** Whether the session history contains data from a source (only for ADK configs). */
  history: boolean
  /** Whether the text of the agent that finished last contains data from a source. */
  text: boolean
  /**
   * Whether the input of the first agents in this part contains data from a source. null: their
   * input is the user's prompt.
   */
  readonly input: boolean | null
}

/**
 * Records that a key was overwritten. `isData`: whether the new value contains data from a source.
 */
export function writeKey({ keys }: DataScope, key: string, isData: boolean): void {
  if (isData) keys.add(key)
  else keys.delete(key)
}

/** All data scopes of a run that are currently open, by agent path. */
export class DataScopes {
  readonly #byId = new Map<string, DataScope>()
  /**
   * The scopes inside each block, graph or tool call, by the path of the enclosing block, graph or
   * call.
   */
  readonly #inside = new Map<string, DataScope[]>()
  readonly #frames: PathFrames

  constructor(frames: PathFrames, root: DataScope) {
    this.#frames = frames
    this.#byId.set("", root)
  }

  /** Returns the innermost scope that contains the agent at a path. */
  scopeAt(path: string): DataScope {
    const frames = this.#frames.of(path)
    for (let index = frames.length - 1; index >= 0; index--) {
      const scope = this.#byId.get(frames[index]?.id ?? "")
      if (scope !== undefined) return scope
    }
    // The scope of the root is never removed.
    return this.#byId.get("") as DataScope
  }

  /** Opens a scope. `around` is the path of the enclosing block, graph or tool call. */
  open(around: string, scope: DataScope): void {
    this.#byId.set(scope.id, scope)
    const known = this.#inside.get(around)
    if (known === undefined) this.#inside.set(around, [scope])
    else known.push(scope)
  }

  /** Closes all scopes inside the block, graph or tool call with this path, and returns them. */
  close(around: string): readonly DataScope[] {
    const scopes = this.#inside.get(around) ?? []
    this.#inside.delete(around)
    for (const { id } of scopes) this.#byId.delete(id)
    return scopes
  }

  /**
   * Closes all scopes inside tool calls whose path begins with `prefix`, and returns these scopes.
   */
  closeAll(prefix: string): readonly DataScope[] {
    const calls = [...this.#inside.keys()].filter((around) => around.startsWith(prefix))
    return calls.flatMap((around) => this.close(around))
  }
}

/**
 * Marks a key, or the history, of `into` as containing data from a source if it contains such data
 * in `from`.
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
 * Copies the marks of a finished branch to the scope of its parallel block: every value that the
 * branch passes to the block is marked if it contains data from a source.
 */
export function joinScope(scope: DataScope, branch: DataScope, collect: ForEach["collect"]): void {
  mergeScope(scope, branch)
  scope.text ||= branch.text
  for (const [target, source] of Object.entries(collect))
    if (branch.keys.has(source)) scope.keys.add(target)
}

/**
 * Returns the initial scope of a branch of a parallel block. In a `forEach` block, the state key of
 * the item is marked if the list expression reads data from a source.
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
