import type { JsonObject } from "../../machines/data/json-object.js"
import type { NodeCall } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import type { ContextSession } from "../context/invocation.js"
import type { Event, Route } from "../events/event.js"
import { checkedState } from "./checked-state.js"
import { nodePathOf } from "./node-path.js"
import { refuse } from "../common/refuse.js"

/** The context that the function of a node receives. */
export class NodeContext extends Context {
  /** The route or routes that the node chooses. Set it if the outgoing edges have routes. */
  route?: Route
  /** The output of the node. It is only used if the node returns and yields no output. */
  output: unknown
  /** Number of the attempt, counted from 1. */
  readonly attemptCount: number
  /** Answers to the questions of earlier runs of the node, by `interruptId`. */
  readonly resumeInputs: Readonly<Record<string, unknown>>
  /** Ids of the questions that the node has asked in this run. */
  readonly interruptIds: string[] = []
  /** Names of the graphs and the node, joined by dots, such as `flow.check`. */
  readonly nodePath: string
  readonly runId: string
  readonly #host: HostContext

  constructor(host: HostContext, { attempt, answers, stateSchema }: NodeContextInput) {
    super(stateSchema === undefined ? host : checkedState(host, stateSchema))
    this.#host = host
    this.attemptCount = attempt
    this.resumeInputs = answers
    this.nodePath = nodePathOf(host.path)
    this.runId = host.runId
  }

  override get session(): ContextSession {
    return super.session
  }

  /** Shows an event immediately. The author is the node if the event has none. */
  emit(event: Event): void {
    applyActions(event.actions, this.#host)
    const author = event.author === "" ? this.agentName : event.author
    this.#host.emit("event", {
      ...event,
      author,
      nodeInfo: { path: this.nodePath, ...event.nodeInfo },
    })
  }

  runNode(): never {
    return refuse(
      "ctx.runNode is not available in this version.",
      "Add the node to an edge of the Workflow.",
    )
  }
}

export type NodeContextInput = Pick<NodeCall, "attempt" | "answers"> & {
  /** JSON schema of the state keys that the node may write. */
  readonly stateSchema?: JsonObject
}
