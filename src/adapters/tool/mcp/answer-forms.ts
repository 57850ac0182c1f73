import type { ElicitResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { HostContext } from "../../../runtime/host/host-function.js"

export interface ElicitingTool {
  readonly name: string
  /** Name of the server for the person who answers. */
  readonly server: string
  /** Time until a question of the server expires, in milliseconds. Absent: it never expires. */
  readonly expiresIn?: number
}

interface RequestedForm {
  readonly key: string
  readonly message: string
  readonly schema: JsonObject
}

/** Asks a person to fill in the forms of a server. All requests are checked before the first one. */
export async function answersTo(
  { ask }: HostContext,
  { name, server, expiresIn }: ElicitingTool,
  inputRequests: JsonObject,
): Promise<Readonly<Record<string, ElicitResult>>> {
  const forms = Object.entries(inputRequests).map(([key, request]) => formIn(key, request, name))
  const responses: Record<string, ElicitResult> = {}
  for (const { key, message, schema } of forms) {
    const answer = await ask(
      message,
      { server, tool: name },
      {
        answerSchema: { anyOf: [schema, { enum: ["decline", "cancel"] }] },
        ...(expiresIn !== undefined && { expiresIn, onExpiry: "continue" }),
      },
    )
    responses[key] = elicitResult(answer)
  }
  return responses
}

/** Converts an answer to the response to a form. The answer is null if the question has expired. */
function elicitResult(answer: unknown): ElicitResult {
  if (!isJsonObject(answer)) return { action: answer === "decline" ? "decline" : "cancel" }
  // The cast is safe: the answer matches the schema of the form.
  return { action: "accept", content: answer as ElicitResult["content"] }
}

function formIn(key: string, request: unknown, tool: string): RequestedForm {
  const { method, params } = isJsonObject(request) ? request : {}
  const { mode = "form", message, requestedSchema } = isJsonObject(params) ? params : {}
  if (method === "elicitation/create" && mode === "form") {
    if (typeof message === "string" && isJsonObject(requestedSchema)) {
      // The dialect may only be stated at the root of a schema.
      const { $schema: _dialect, ...schema } = requestedSchema
      return { key, message, schema }
    }
  }
  const what = method === "elicitation/create" ? `${method} (mode ${String(mode)})` : String(method)
  throw new AgentStatechartsError(
    "tool_call_failed",
    `the tool "${tool}" sent the request "${what}", which agent-statecharts does not support; it supports only forms of elicitation/create`,
  )
}
