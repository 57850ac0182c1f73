import type { ElicitResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { HostContext } from "../../../runtime/host/host-function.js"

export interface ElicitingTool {
  readonly name: string
  /** Name of the MCP server. It is shown to the person who answers the server's questions. */
  readonly server: string
  /**
   * Time in milliseconds after which a question of the server expires. If absent, the question
   * never expires.
   */
  readonly expiresIn?: number
}

/**
 * A request for input from an MCP server. It is a form that a person fills in, or a web page that a
 * person visits.
 */
interface RequestedForm {
  readonly key: string
  readonly message: string
  /** JSON Schema of the person's answer if the person accepts the request. */
  readonly schema: JsonObject
  /** Address of the web page. null for a form. */
  readonly url: string | null
}

/**
 * Asks a person to fill in the forms that an MCP server has sent and to visit its web pages.
 * Returns the answers by the key of the request. All requests are validated before the person
 * receives the first request.
 */
export async function answersTo(
  { ask }: HostContext,
  { name, server, expiresIn }: ElicitingTool,
  inputRequests: JsonObject,
): Promise<Readonly<Record<string, ElicitResult>>> {
  const forms = Object.entries(inputRequests).map(([key, request]) => formIn(key, request, name))
  const responses: Record<string, ElicitResult> = {}
  for (const { key, message, schema, url } of forms) {
    const answer = await ask(
      url === null ? message : `${message}\n${url}`,
      { server, tool: name, ...(url !== null && { url }) },
      {
        answerSchema: { anyOf: [schema, { enum: ["decline", "cancel"] }] },
        ...(expiresIn !== undefined && { expiresIn, onExpiry: "continue" }),
      },
    )
    responses[key] = elicitResult(answer)
  }
  return responses
}

/**
 * Converts a person's answer to an MCP elicitation result. If the question has expired, the answer
 * is null and the result is `cancel`.
 */
function elicitResult(answer: unknown): ElicitResult {
  if (answer === "accept" || answer === "decline") return { action: answer }
  if (!isJsonObject(answer)) return { action: "cancel" }
  // The cast is safe. The answer matches the schema of the form.
  return { action: "accept", content: answer as ElicitResult["content"] }
}

function formIn(key: string, request: unknown, tool: string): RequestedForm {
  const { method, params } = isJsonObject(request) ? request : {}
  const { mode = "form", message, requestedSchema, url } = isJsonObject(params) ? params : {}
  if (method === "elicitation/create" && typeof message === "string") {
    if (mode === "form" && isJsonObject(requestedSchema)) {
      // `$schema` is removed, because it is allowed only at the root of a schema.
      const { $schema: _dialect, ...schema } = requestedSchema
      return { key, message, schema, url: null }
    }
    if (mode === "url" && typeof url === "string" && /^https?:/.test(url) && URL.canParse(url))
      return { key, message, schema: { enum: ["accept"] }, url }
  }
  const what = method === "elicitation/create" ? `${method} (mode ${String(mode)})` : String(method)
  throw new AgentStatechartsError(
    "tool_call_failed",
    `the tool "${tool}" sent the request "${what}", which agent-statecharts does not support; it supports only forms and web pages of elicitation/create`,
  )
}
