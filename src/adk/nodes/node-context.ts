import type { JsonObject } from "../../machines/data/json-object.js"
import type { NodeCall } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import type { ContextSession } from "../context/invocation.js"
import type { Event, Route } from "../events/event.js"
import { checkedState } from "./checked-state.js"
import type { BaseTool } from "../tools/base-tool.js"
import type { ChildNodeResult, RunNodeOptions } from "./child-calls.js"
import { ChildCalls } from "./child-calls.js"
import { nodePathOf } from "./node-path.js"
import { nodePrefixOf } from "../context/node-runner.js"

/** The context that the function of a graph node receives. */
export class NodeContext extends Context {
  /**
   * The route or routes that the node chooses. Set this field if the outgoing edges have routes.
   */
  route?: Route
  /**
   * The output of the node if the node function neither returns nor yields an output. Otherwise,
   * this value is ignored.
   */
  output: unknown
  /** Number of the current attempt, counted from 1. It is greater than 1 if the node is retried. */
  readonly attemptCount: number
  /** Answers to the questions of earlier runs of the node, by the `interruptId` of the question. */
  readonly resumeInputs: Readonly<Record<string, unknown>>
  /** Ids of the questions that the node has asked in this run. */
  readonly interruptIds: string[] = []
  /**
   * Path of the node, such as `flow.check`. It consists of the names of the graphs that contain the
   * node and its own name.
   */
  readonly nodePath: string
  readonly runId: string
  /** @internal */
  readonly children: ChildCalls
  /** @internal */
  readonly host: HostContext
  readonly #host: HostContext

  constructor(host: HostContext, { attempt, answers, stateSchema }: NodeContextInput) {
    super(stateSchema === undefined ? host : checkedState(host, stateSchema))
    this.#host = host
    this.host = host
    this.attemptCount = attempt
    this.resumeInputs = answers
    this.nodePath = nodePathOf(host.path, nodePrefixOf(host))
    this.children = new ChildCalls(host, this.nodePath, answers)
    this.runId = host.runId
  }

  override get session(): ContextSession {
    return super.session
  }

  /** Emits an event immediately. If the event has no author, the node becomes its author. */
  emit(event: Event): void {
    applyActions(event.actions, this.#host)
    const author = event.author === "" ? this.agentName : event.author
    this.#host.emit("event", {
      ...event,
      author,
      nodeInfo: { path: this.nodePath, ...event.nodeInfo },
    })
  }

  /**
   * Runs a node, an agent, a tool or a function as a child and resolves to its result. Each run is
   * a recorded step, so after a restart, a finished child returns its recorded result. If the child
   * asks a person, this node needs the option `rerunOnResume` to continue after the answer.
   */
  async runNode(
    nodeLike: NodeLikeOf<never>,
    input?: unknown,
    options: RunNodeOptions = {},
  ): Promise<ChildNodeResult> {
    const result = await this.children.run(nodeLike, [input], options)
    if (options.useAsOutput === true) this.output = result.output
    return result
  }
}

/** A value that `runNode` can run: a node, a tool, or a function `(ctx, input)`. */
type NodeLikeOf<Input> =
  | { readonly name: string; readonly rerunOnResume: boolean }
  | BaseTool
  | ((context: NodeContext, input: Input) => unknown)

export type NodeContextInput = Pick<NodeCall, "attempt" | "answers"> & {
  /** JSON schema of the state keys that the node may write. */
  readonly stateSchema?: JsonObject
}
