import type { JsonObject } from "./json-object.js"

/** The values that the templates of a graph node can read. */
export interface NodeScope {
  readonly results: JsonObject
  readonly context: JsonObject
  /** The current item of the innermost loop; absent outside loops. */
  readonly row?: LoopRow
  /** The current items of all enclosing loops, by loop id. */
  readonly rows: Readonly<Record<string, LoopRow>>
}

/** The current item of a loop, and its index. */
export interface LoopRow {
  readonly index: number
  readonly data: unknown
}

/**
 * The values of a graph that the templates of an agent can read, if a node of the graph runs the
 * agent. The templates can also read `context`.
 */
export interface GraphValues {
  readonly results: JsonObject
  readonly row?: LoopRow
  readonly rows: Readonly<Record<string, LoopRow>>
}
