import type { RunEvent } from "../../machines/contract/run-event.js"
import { isConfirmation } from "../context/confirmation.js"
import { isJsonObject } from "../../machines/data/json-object.js"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

/**
 * Returns whether an event is a question from `context.ask`, or a confirmation request that a tool
 * created with `requestConfirmation`. If an agent waits for the user after a text, this is not a
 * question.
 */
export const isQuestion = (event: RunEvent): event is EventOf<"user.awaited"> =>
  event.type === "user.awaited" &&
  (event.request.answerSchema !== undefined || isConfirmation(event.request.details))

/**
 * Returns whether an event inside a tool call is passed on to the caller of the run. Only requests
 * to people and events of nodes that are used as tools are passed on.
 */
export const isShownInsideTool = (event: RunEvent): boolean =>
  event.type === "human.asked" || isQuestion(event) || isOfNodeTool(event)

/**
 * Returns whether an event comes from a child node. The path of a child node contains the id of its
 * run after `@`.
 */
const isOfNodeTool = (event: RunEvent): boolean => {
  if (event.type !== "host.emitted" || !isJsonObject(event.data)) return false
  const info = event.data["nodeInfo"]
  return isJsonObject(info) && String(info["path"]).includes("@")
}
