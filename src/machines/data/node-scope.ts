import type { JsonObject } from "./json-object.js"

/**
 * The variables that the templates of a graph node can read. For example,
 * `{{ results.fetch.data }}` reads the result of the node `fetch`.
 */
export interface NodeScope {
  readonly results: JsonObject
  readonly context: JsonObject
  /** The current item of the innermost loop that contains the node. Absent outside loops. */
  readonly row?: LoopRow
  /** The current item of each loop that contains the node, by the id of the loop. */
  readonly rows: Readonly<Record<string, LoopRow>>
}

/** The current item (`data`) of a loop and its index, which starts at 0. */
export interface LoopRow {
  readonly index: number
  readonly data: unknown
}

/**
 * The variables of a graph that an agent's templates can read in addition to `context`. They only
 * exist if a node of the graph runs the agent.
 */
export interface GraphValues {
  readonly results: JsonObject
  readonly row?: LoopRow
  readonly rows: Readonly<Record<string, LoopRow>>
}
