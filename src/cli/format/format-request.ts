import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { describeRequest } from "../../serving/display/describe-request.js"
import { oneLine, safeJson, safeName } from "../terminal/untrusted-text.js"

/** Returns a short title for a pending request, with the agent name. */
export const requestTitle = (request: PendingRequest): string =>
  `${safeName(request.agent)} ${describeRequest(request, safeName)}`

/**
 * Formats everything needed to answer a request: calls, prompt and details, one per line. The calls
 * come first and exactly as they will run, because a model may have written the rest.
 */
export function requestLines({
  prompt,
  details,
  toolCalls = [],
  kind,
}: PendingRequest): readonly string[] {
  return [
    ...toolCalls.map(
      ({ id, name, args }) =>
        `${kind === "approval" ? "proposes" : "call"} ${safeName(name)} ${safeJson(args)} (${safeName(id)})`,
    ),
    ...(prompt === null || prompt === ""
      ? []
      : [toolCalls.length === 0 ? oneLine(prompt) : `prompt: ${oneLine(prompt)}`]),
    ...(details === null || details === undefined ? [] : [`details: ${safeJson(details)}`]),
  ]
}

/** Returns entries of an answers file that would answer the request. */
export function answerExamples({ kind, toolCalls = [] }: PendingRequest): readonly string[] {
  switch (kind) {
    case "approval": {
      const [call, ...others] = toolCalls
      const edited =
        call === undefined || others.length > 0
          ? []
          : [safeJson({ approve: true, args: call.args })]
      return ['{"approve":true}', ...edited, '{"reject":true,"reason":"..."}']
    }
    case "input":
      return ['{"user":"..."}', '{"end":true}']
    case "human":
      return ['{"answer":"..."}']
    case "tool":
      return [safeJson({ deliver: toolCalls[0]?.id ?? "...", result: {} })]
    case "auth":
      return ['{"answer":{"secret":"NAME"}}']
  }
}
