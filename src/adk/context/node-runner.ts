import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"

/** A run of a child node that `ctx.runNode` starts. */
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

/** How the run of a child ended. `questions` must be answered before the child can continue. */
export type ChildOutcome =
  | { readonly type: "done"; readonly output?: unknown; readonly route?: unknown }
  | { readonly type: "failed"; readonly name: string; readonly message: string }
  | { readonly type: "waiting"; readonly questions: readonly NodeQuestion[] }

/** Runs the children of nodes. A Runner provides it to the contexts of host functions. */
export interface ChildRunner {
  /** Returns the name of a node. */
  nameOf(nodeLike: unknown, nodeName: string | undefined): string
  run(request: ChildRequest): Promise<ChildOutcome>
}

export const childRunnerKey: unique symbol = Symbol("childRunner")

/** Key of the path that replaces the first names of the path of a node. */
export const nodePrefixKey: unique symbol = Symbol("nodePrefix")

/** Replaces the path of the run of a child with the path of the child in its caller. */
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
