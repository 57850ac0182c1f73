import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"

/** A call of `ctx.runNode`: the child node to run, its input and its position. */
export interface ChildRequest {
  /** The node, agent, tool or function, as it was passed to `runNode`. */
  readonly nodeLike: unknown
  readonly nodeName: string | undefined
  /** Input of the child node; absent if it was called without an input. */
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

/** Key of the property of a host context that contains the `NodePrefix` of the run. */
export const nodePrefixKey: unique symbol = Symbol("nodePrefix")

/**
 * Maps the node paths of a child run to paths in the calling run: the leading names `from` are
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
