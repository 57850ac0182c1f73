import type { PendingRequest } from "../../machines/contract/pending-request.js"

/**
 * Describes a pending request in a few words without the name of the agent, for example `waits for
 * a message`. `formatName` is applied to tool names, for example to escape them for a terminal.
 */
export function describeRequest(
  { kind, toolCalls = [] }: PendingRequest,
  formatName: (name: string) => string = (name) => name,
): string {
  const tool = toolCalls[0] === undefined ? "a tool" : formatName(toolCalls[0].name)
  switch (kind) {
    case "approval":
      return "asks for approval"
    case "input":
      return "waits for a message"
    case "human":
      return "asks"
    case "tool":
      return `waits for the result of ${tool}`
    case "auth":
      return `asks which secret ${tool} may use`
  }
}
