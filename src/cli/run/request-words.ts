import type { PendingRequest } from "../../machines/pending-request.js"
import { oneLine } from "./shown-text.js"

/** What a pending request is about, in a few words. */
export const requestTitle = (request: PendingRequest): string =>
  `${request.agent} ${requestVerb(request)}`

/** The same where the agent is named already. */
export function requestVerb({ kind, toolCalls }: PendingRequest): string {
  switch (kind) {
    case "approval":
      return "asks for approval"
    case "input":
      return "waits for a message"
    case "human":
      return "asks"
    case "tool":
      return `waits for the result of ${toolCalls?.[0]?.name ?? "a tool"}`
    case "auth":
      return `needs consent for ${toolCalls?.[0]?.name ?? "a tool"}`
  }
}

/** Everything that one has to know to answer: prompt, details, calls. One line each. */
export function requestLines({
  prompt,
  details,
  toolCalls = [],
  kind,
}: PendingRequest): readonly string[] {
  return [
    ...(prompt === null || prompt === "" ? [] : [oneLine(prompt)]),
    ...(details === null || details === undefined
      ? []
      : [`details: ${oneLine(JSON.stringify(details))}`]),
    ...toolCalls.map(
      ({ id, name, args }) =>
        `${kind === "approval" ? "proposes" : "call"} ${name} ${oneLine(JSON.stringify(args))} (${id})`,
    ),
  ]
}

/** Entries of an answers file that would answer it. */
export function answerExamples({ kind, toolCalls = [] }: PendingRequest): readonly string[] {
  switch (kind) {
    case "approval": {
      const [call, ...others] = toolCalls
      const edited =
        call === undefined || others.length > 0
          ? []
          : [JSON.stringify({ approve: true, args: call.args })]
      return ['{"approve":true}', ...edited, '{"reject":true,"reason":"..."}']
    }
    case "input":
      return ['{"user":"..."}', '{"end":true}']
    case "human":
      return ['{"answer":"..."}']
    case "tool":
      return [JSON.stringify({ deliver: toolCalls[0]?.id ?? "...", result: {} })]
    case "auth":
      return ['{"answer":{"secret":"NAME"}}']
  }
}
