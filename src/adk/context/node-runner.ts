import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"

/** A call of `ctx.runNode`: the child node to run, its input and its path in the run. */
export interface ChildRequest {
  /** The node, agent, tool or function, as it was passed to `runNode`. */
  readonly nodeLike: unknown
  readonly nodeName: string | undefined
  /** Input of the child node. Absent if `runNode` was called without an input. */
  readonly input?: unknown
  /** Path of the child node, such as `flow.plan.shout@1`. It identifies the run of the child. */
  readonly path: string
  readonly host: HostContext
  /** Answers to the questions that the calling node has asked in earlier runs, by question id. */
  readonly answers: Readonly<Record<string, unknown>>
}

/**
 * The result of running a child node. `waiting` means that a person must answer `questions` before
 * the child can continue.
 */
export type ChildOutcome =
  | { readonly type: "done"; readonly output?: unknown; readonly route?: unknown }
  | { readonly type: "failed"; readonly name: string; readonly message: string }
  | { readonly type: "waiting"; readonly questions: readonly NodeQuestion[] }

/**
 * Runs child nodes. A `Runner` makes this service available to host functions through their
 * context.
 */
export interface ChildRunner {
  /**
   * Returns the name of a child node, which is `nodeName` if it is set, or else the node's own
   * name.
   */
  nameOf(nodeLike: unknown, nodeName: string | undefined): string
  run(request: ChildRequest): Promise<ChildOutcome>
}

export const childRunnerKey: unique symbol = Symbol("childRunner")

/**
 * Key of the property in which a host context stores its `NodePrefix`. A `NodePrefix` converts the
 * node paths of a child run to paths in the calling run.
 */
export const nodePrefixKey: unique symbol = Symbol("nodePrefix")

/**
 * A prefix replacement that converts the node paths of a child run to paths in the calling run.
 * Replaces the leading path `from` with `to`.
 */
export interface NodePrefix {
  readonly from: string
  readonly to: string
}

type RunnerHost = HostContext & {
  readonly [childRunnerKey]?: ChildRunner
  readonly [nodePrefixKey]?: NodePrefix
}

export const childRunnerOf = (host: HostContext): ChildRunner | undefined =>
  (host as RunnerHost)[childRunnerKey]

export const nodePrefixOf = (host: HostContext): NodePrefix | undefined =>
  (host as RunnerHost)[nodePrefixKey]
