import type { DataScope } from "./data-scopes.js"
import { forkScope, mergeScope } from "./data-scopes.js"

/** Tracks how source data of a `noFlow` policy passes along the edges of one workflow graph. */
export class GraphInputs {
  readonly #graph: DataScope
  readonly #finished = new Map<string, DataScope>()
  readonly #waiting = new Map<string, DataScope>()
  readonly #followed = new Set<string>()

  constructor(graph: DataScope) {
    this.#graph = graph
  }

  /**
   * Records that the run followed the edge between two nodes. The output of `from` and the keys
   * that it wrote are passed to `to`.
   */
  follow(from: string, to: string): void {
    const earlier = this.#finished.get(from)
    // Only the first nodes of the graph receive the session history.
    const given =
      earlier === undefined ? this.#graph : { ...earlier, history: false, input: earlier.text }
    this.#followed.add(from)
    const known = this.#waiting.get(to)
    if (known === undefined) {
      this.#waiting.set(to, forkScope(given, "", null))
      return
    }
    mergeScope(known, given)
    if (known.input !== true && given.input !== null)
      this.#waiting.set(to, { ...known, input: given.input })
  }

  /**
   * Returns the data scope of a starting node. It contains the tainted data (data from a source of
   * the policy) of all nodes before it.
   */
  start(node: string, id: string, branch: string | null): DataScope {
    const given = this.#waiting.get(node) ?? this.#graph
    this.#waiting.delete(node)
    return forkScope(given, id, branch)
  }

  finish(node: string, scope: DataScope): void {
    this.#finished.set(node, scope)
    this.#followed.delete(node)
  }

  /**
   * Adds the tainted data (data from a source of the policy) of the last nodes to the scope of the
   * graph. The last nodes have no followed edges. Called when the graph ends.
   */
  close(): void {
    for (const [node, scope] of this.#finished) {
      if (this.#followed.has(node)) continue
      mergeScope(this.#graph, scope)
      this.#graph.text ||= scope.text
    }
  }
}
