import {
  isPageRequest,
  pageToolsKey,
  readPageTools,
} from "../../../adapters/protocol/page-tools.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import { pageCallId } from "./ag-ui-events.js"
import type { AgUiInput } from "./ag-ui-input.js"

/**
 * Returns a session state object with the tools of a web page as its only entry. The object is
 * empty if the page has no tools, or if no toolset of the workflow accepts them.
 *
 * @throws HttpError `input_refused` if a tool is invalid
 */
export function pageToolsFor(
  { tools }: AgentChart,
  input: AgUiInput,
): Readonly<Record<string, unknown>> {
  const mayUse = Object.values(tools).some(
    (tool) => tool.type === "Toolset" && tool.pageTools === true,
  )
  if (!mayUse) return {}
  const read = readPageTools(input.tools)
  if ("problem" in read) throw new HttpError(400, { code: "input_refused", message: read.problem })
  return read.tools.length === 0 ? {} : { [pageToolsKey]: read.tools }
}

/** Converts the `tool` messages of a web page to results for pending calls of the page's tools. */
export function pageResultsIn(
  { messages }: AgUiInput,
  pending: readonly PendingRequest[],
): readonly RunMessage[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool" && message.toolCallId !== undefined
        ? [[message.toolCallId, message] as const]
        : [],
    ),
  )
  return pending.filter(isPageRequest).flatMap((request): readonly RunMessage[] => {
    const [call] = request.toolCalls ?? []
    const message = call === undefined ? undefined : results.get(pageCallId(request.path, call.id))
    if (message === undefined) return []
    const { content, error } = message
    const result = error === undefined ? resultOf(content) : { error }
    return [{ type: "deliver", callId: request.id, result }]
  })
}

/**
 * Returns the tool result in a message of a web page. It is the parsed JSON value, or the text if
 * the text is not JSON.
 */
function resultOf(content: AgUiInput["messages"][number]["content"]): unknown {
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("")
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
