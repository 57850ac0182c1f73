import type { AssistantPart, Message, ToolPart } from "./contract.js"
import type { UserContent, UserPart } from "./user-content.js"

/** What was said in a session of the adk dialect, in order, by whom: `user` or the id of an agent. */
export type History = readonly HistoryEntry[]

export interface HistoryEntry {
  readonly author: string
  readonly message: Message
}

export const userEntry = (content: UserContent): HistoryEntry => ({ author: "user", message: { role: "user", content } })

/**
 * The history as one agent is shown it (SPEC section 4, adk): its own turns and the user's as they were, what other agents
 * said and did as context in the user's role. `none` keeps only the current turn: from the last words of anybody else on.
 */
export function contentsFor(agent: string, history: History, includeContents: "default" | "none"): readonly Message[] {
  const from = includeContents === "none" ? Math.max(0, history.findLastIndex(({ author }) => author !== agent)) : 0
  return history.slice(from).map(({ author, message }) => (author === agent || author === "user" ? message : asContext(author, message)))
}

function asContext(author: string, message: Message): Message {
  return { role: "user", content: ["For context:", ...linesOf(author, message)].join("\n") }
}

function linesOf(author: string, { content }: Message): readonly string[] {
  if (typeof content === "string") return [`[${author}] said: ${content}`]
  return content.map((part: AssistantPart | ToolPart | UserPart) => {
    if ("text" in part) return `[${author}] said: ${part.text}`
    if ("function_call" in part) return `[${author}] called tool \`${part.function_call.name}\` with parameters: ${JSON.stringify(part.function_call.args)}`
    if ("inline_data" in part) return `[${author}] sent: ${part.inline_data.mime_type}`
    if ("file_data" in part) return `[${author}] sent: ${part.file_data.file_uri}`
    return `[${author}] \`${part.function_response.name}\` tool returned result: ${JSON.stringify(part.function_response.response)}`
  })
}

/** What an agent added in its turn; what the user said to it meanwhile stays the user's. */
export const spokenBy = (agent: string, messages: readonly Message[]): History =>
  messages.map((message) => ({ author: message.role === "user" ? "user" : agent, message }))
