import type { AssistantPart, Message, ToolPart } from "./services.js"
import type { UserContent, UserPart } from "./user-content.js"

/**
 * The messages of a session with their authors, oldest first. The author is `user` or the id of an
 * agent. Used only in the adk dialect.
 */
export type History = readonly HistoryEntry[]

/**
 * The session history that the agents of one parallel branch see, as plain JSON.
 *
 * The history is a list of parts, and branches share the older parts. New entries form a new part.
 * When the newest part reaches half the size of the part before it, the two parts are merged.
 * Appending an entry therefore takes amortized logarithmic time.
 */
export interface BranchHistory {
  readonly length: number
  /** Lists of entries that together form the history, oldest first. */
  readonly parts: readonly History[]
}

export const branchHistory = (entries: History): BranchHistory => ({
  length: entries.length,
  parts: entries.length === 0 ? [] : [entries],
})

export function appendHistory(history: BranchHistory, entries: History): BranchHistory {
  if (entries.length === 0) return history
  let newest = entries
  let kept = history.parts.length
  for (; kept > 0; kept--) {
    const older = history.parts[kept - 1] ?? []
    if (newest.length * 2 < older.length) break
    newest = older.concat(newest)
  }
  return {
    length: history.length + entries.length,
    parts: history.parts.toSpliced(kept, history.parts.length - kept, newest),
  }
}

/** Returns the entries of a history from the index `from` to the end. */
export function entriesSince({ length, parts }: BranchHistory, from: number): History {
  const newest = parts.at(-1) ?? []
  if (newest.length === length - from) return newest
  const later: History[] = []
  let before = length
  for (let index = parts.length - 1; index >= 0 && before > from; index--) {
    const part = parts[index] ?? []
    before -= part.length
    later.push(before >= from ? part : part.slice(from - before))
  }
  const [first = [], ...others] = later.reverse()
  // `concat` copies 20 times as many entries per second as `flat`.
  return others.length === 0 ? first : first.concat(...others)
}

/**
 * Returns the index of the last history entry for which `matches` returns true, or -1 if there is
 * none.
 */
function findLastEntry(
  { length, parts }: BranchHistory,
  matches: (entry: HistoryEntry) => boolean,
): number {
  let before = length
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] ?? []
    before -= part.length
    const found = part.findLastIndex(matches)
    if (found >= 0) return before + found
  }
  return -1
}

/** Returns the last entry of the history that the user wrote, or undefined if there is none. */
export function lastUserEntry(history: BranchHistory): HistoryEntry | undefined {
  const index = findLastEntry(history, ({ author }) => author === "user")
  return index < 0 ? undefined : entriesSince(history, index)[0]
}

export interface HistoryEntry {
  readonly author: string
  readonly message: Message
}

export const userEntry = (content: UserContent): HistoryEntry => ({
  author: "user",
  message: { role: "user", content },
})

/**
 * Returns the session history as messages for the model of one agent (docs/semantics.md#sequences).
 * The agent's own messages and the user's messages are unchanged. A message of another agent
 * becomes a user message such as `[writer] said: ...`. If `includeContents` is `none`, the result
 * starts at the last message of another author, so it contains only the current turn.
 */
export function contentsFor(
  agent: string,
  history: BranchHistory,
  includeContents: "default" | "none",
): readonly Message[] {
  const from =
    includeContents === "none"
      ? Math.max(
          0,
          findLastEntry(history, ({ author }) => author !== agent),
        )
      : 0
  return entriesSince(history, from).map(({ author, message }) =>
    author === agent || author === "user" ? message : asContext(author, message),
  )
}

const quoted = "For context:"

function asContext(author: string, message: Message): Message {
  return { role: "user", content: [quoted].concat(linesOf(author, message)).join("\n") }
}

/**
 * Returns whether the user wrote this message. Returns false for messages of other agents, which
 * also have the role `user` but start with `For context:`.
 */
export const isWrittenByUser = ({ role, content }: Message): boolean =>
  role === "user" && !(typeof content === "string" && content.startsWith(`${quoted}\n[`))

/**
 * Converts a message to lines of text that name the author, such as
 * `[writer] said: The draft is ready.`
 */
export function linesOf(author: string, { content }: Message): readonly string[] {
  if (typeof content === "string") return [`[${author}] said: ${content}`]
  return content.map((part: AssistantPart | ToolPart | UserPart) => {
    if ("text" in part) return `[${author}] said: ${part.text}`
    if ("function_call" in part)
      return `[${author}] called tool \`${part.function_call.name}\` with parameters: ${JSON.stringify(part.function_call.args)}`
    if ("inline_data" in part) return `[${author}] sent: ${part.inline_data.mime_type}`
    if ("file_data" in part) return `[${author}] sent: ${part.file_data.file_uri}`
    return `[${author}] \`${part.function_response.name}\` tool returned result: ${JSON.stringify(part.function_response.response)}`
  })
}

/**
 * Converts the messages of an agent's turn to history entries. The author of messages with the role
 * `user` is `user`. The author of all other messages is `agent`.
 */
export const historyEntries = (agent: string, messages: readonly Message[]): History =>
  messages.map((message) => ({ author: message.role === "user" ? "user" : agent, message }))
