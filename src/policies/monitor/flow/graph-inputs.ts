import type { DataScope } from "./data-scopes.js"
import { forkScope, mergeScope } from "./data-scopes.js"

/**
 * Tracks data from the sources of a `noFlow` policy in one workflow graph. Such data passes along
 * the edges from node to node.
 */
export class GraphInputs {
  readonly #graph: DataScope
  readonly #finished = new Map<string, DataScope>()
  readonly #waiting = new Map<string, DataScope>()
  readonly #followed = new Set<string>()

  constructor(graph: DataScope) {
    this.#graph = graph
  }

  /**
   * Processes an edge that the run followed from the node `from` to the node `to`. The node `to`
   * receives the output of `from` and the keys that `from` wrote.
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
   * Returns the data scope for a node that starts. It contains the tainted data (data from a source
   * of the policy) of all nodes before it.
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
   * Adds the tainted data of the last nodes to the data scope of the graph. Tainted data is data
   * from a source of the policy. A node is a last node if the run followed no edge from it. Called
   * when the graph ends.
   */
  close(): void {
    for (const [node, scope] of this.#finished) {
      if (this.#followed.has(node)) continue
      mergeScope(this.#graph, scope)
      this.#graph.text ||= scope.text
    }
  }
}
