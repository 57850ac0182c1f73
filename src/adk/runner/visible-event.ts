import type { RunEvent } from "../../machines/contract/run-event.js"
import { isConfirmation } from "../context/confirmation.js"
import { isJsonObject } from "../../machines/data/json-object.js"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

/**
 * Returns whether an event is a question from `context.ask`, or a confirmation request that a tool
 * created with `requestConfirmation`. An agent that has answered and waits for the next user
 * message does not ask a question.
 */
export const isQuestion = (event: RunEvent): event is EventOf<"user.awaited"> =>
  event.type === "user.awaited" &&
  (event.request.answerSchema !== undefined || isConfirmation(event.request.details))

/**
 * Returns whether a run event inside a tool call is converted to an ADK event. This is true for
 * requests to people, and for events of nodes that are used as tools.
 */
export const isShownInsideTool = (event: RunEvent): boolean =>
  event.type === "human.asked" || isQuestion(event) || isOfNodeTool(event)

/**
 * Returns whether a run event comes from a node that was called with `ctx.runNode` or as a tool. In
 * the path of such a node, the id of its run follows an `@`, as in `flow.plan.shout@1`.
 */
const isOfNodeTool = (event: RunEvent): boolean => {
  if (event.type !== "host.emitted" || !isJsonObject(event.data)) return false
  const info = event.data["nodeInfo"]
  return isJsonObject(info) && String(info["path"]).includes("@")
}
