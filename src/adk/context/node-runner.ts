import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"

/** A request of `ctx.runNode` to run a child node. */
export interface ChildRequest {
  /** The node, agent, tool or function, as it was passed to `runNode`. */
  readonly nodeLike: unknown
  readonly nodeName: string | undefined
  /** The input; absent if there is none. */
  readonly input?: unknown
  /** Path of the child, such as `flow.plan.shout@1`. It identifies the run of the child. */
  readonly path: string
  readonly host: HostContext
  /** Answers to the questions of earlier runs of the caller, by question id. */
  readonly answers: Readonly<Record<string, unknown>>
}

/**
 * The result of running a child. `waiting`: a person must answer `questions` before the child can
 * continue.
 */
export type ChildOutcome =
  | { readonly type: "done"; readonly output?: unknown; readonly route?: unknown }
  | { readonly type: "failed"; readonly name: string; readonly message: string }
  | { readonly type: "waiting"; readonly questions: readonly NodeQuestion[] }

/**
 * A service that runs child nodes. A Runner makes it available to host functions through their
 * context.
 */
export interface ChildRunner {
  /** Returns the name of a child: `nodeName` if it is set, otherwise the node's own name. */
  nameOf(nodeLike: unknown, nodeName: string | undefined): string
  run(request: ChildRequest): Promise<ChildOutcome>
}

export const childRunnerKey: unique symbol = Symbol("childRunner")

/** Key under which a host context contains the `NodePrefix` of its run. */
export const nodePrefixKey: unique symbol = Symbol("nodePrefix")

/**
 * The mapping of a child run's node paths to paths in the calling run. The leading names `from` are
 * replaced with `to`.
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
