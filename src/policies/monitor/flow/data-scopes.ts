import type { PathFrames } from "../path-frames.js"

/**
 * The places in one scope of a run with separate state: the root, a branch, a graph node, or the
 * target of an AgentTool. A place is true, or contained in `keys`, if its data comes from a source.
 */
export interface DataScope {
  readonly id: string
  readonly branch: string | null
  readonly keys: Set<string>
  /** The history of the session (adk). */
  history: boolean
  /** The text of the last agent. */
  text: boolean
  /** The input of the first agents. null: they receive the prompt of the user. */
  readonly input: boolean | null
}

/** Notes that a key gets a value, which derives from a source or does not. */
export function writeKey({ keys }: DataScope, key: string, isData: boolean): void {
  if (isData) keys.add(key)
  else keys.delete(key)
}

/** The scopes of a run, by path. */
export class DataScopes {
  readonly #byId = new Map<string, DataScope>()
  /** The scopes inside a block, a graph or a tool call, by its path. */
  readonly #inside = new Map<string, DataScope[]>()
  readonly #frames: PathFrames

  constructor(frames: PathFrames, root: DataScope) {
    this.#frames = frames
    this.#byId.set("", root)
  }

  /** Returns the scope of the agent at a path. */
  at(path: string): DataScope {
    const frames = this.#frames.of(path)
    for (let index = frames.length - 1; index >= 0; index--) {
      const scope = this.#byId.get(frames[index]?.id ?? "")
      if (scope !== undefined) return scope
    }
    // The scope of the root is never removed.
    return this.#byId.get("") as DataScope
  }

  /** Opens the scope of an agent inside a block, a graph or a tool call. */
  open(around: string, scope: DataScope): void {
    this.#byId.set(scope.id, scope)
    const known = this.#inside.get(around)
    if (known === undefined) this.#inside.set(around, [scope])
    else known.push(scope)
  }

  /** Closes all scopes inside a block, a graph or a tool call, and returns them. */
  close(around: string): readonly DataScope[] {
    const scopes = this.#inside.get(around) ?? []
    this.#inside.delete(around)
    for (const { id } of scopes) this.#byId.delete(id)
    return scopes
  }

  /** Closes the scopes inside all calls whose path begins with a text. */
  closeAll(prefix: string): readonly DataScope[] {
    const calls = [...this.#inside.keys()].filter((around) => around.startsWith(prefix))
    return calls.flatMap((around) => this.close(around))
  }
}

/** Adds the data from sources in one scope to another scope. */
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
