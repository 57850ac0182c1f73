import type { HistoryEntry } from "../../machines/contract/history.js"
import type { Message } from "../../machines/contract/services.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { MemoryService, RememberedEvent } from "../journal/memory-service.js"
import type { SessionChanges, SessionKey, SessionStore } from "../journal/session-store.js"

/**
 * Returns a session store that also adds the messages of each saved session to the long-term memory
 * of the user. If the process stops after a session was saved and before its messages were added,
 * the resumed run adds the messages.
 */
export function rememberingSessions(sessions: SessionStore, memory: MemoryService): SessionStore {
  const remember = async (
    key: SessionKey,
    added: readonly IdentifiedEvent[],
    isInHistory: boolean,
    saved: void | Promise<void>,
  ): Promise<void> => {
    await saved
    const { appName, userId, sessionId } = key
    if (memory.addEventsToMemory !== undefined)
      return memory.addEventsToMemory({ appName, userId, sessionId, events: added })
    const events = isInHistory ? historyEvents((await sessions.load(key))?.history ?? []) : added
    return memory.addSessionToMemory({ id: sessionId, appName, userId, events })
  }
  return {
    create: (key, state, at) => sessions.create(key, state, at),
    load: (key) => sessions.load(key),
    save: (key, changes) => {
      const saved = sessions.save(key, changes)
      const added = eventsOf(changes)
      return added.length === 0
        ? saved
        : remember(key, added, changes.exchange === undefined, saved)
    },
    list: (owner) => sessions.list(owner),
    delete: (key) => sessions.delete(key),
    ...(sessions.deleteUser !== undefined && { deleteUser: sessions.deleteUser.bind(sessions) }),
  }
}

type IdentifiedEvent = RememberedEvent & { readonly id: string }

const historyEvents = (history: readonly HistoryEntry[]): readonly IdentifiedEvent[] =>
  history.flatMap((entry, index) => entryEvent(entry, index, 0))

function eventsOf({ runId, said, exchange, at }: SessionChanges): readonly IdentifiedEvent[] {
  if (exchange === undefined)
    return said.entries.flatMap((entry, index) => entryEvent(entry, said.from + index, at))
  const prompt = exchange.prompt === null ? "" : textOfContent(exchange.prompt)
  return [
    ...textEvent(`${runId} prompt`, "user", prompt, at),
    ...textEvent(`${runId} text`, "agent", exchange.text ?? "", at),
  ]
}

/**
 * Converts a history entry to a message for the long-term memory. Returns an empty array if the
 * entry contains no text of the user or of an agent, for example for a tool result.
 */
function entryEvent(
  { author, message }: HistoryEntry,
  position: number,
  at: number,
): readonly IdentifiedEvent[] {
  return message.role === "user" || message.role === "assistant"
    ? textEvent(String(position), author, textOf(message), at)
    : []
}

function textEvent(
  id: string,
  author: string,
  text: string,
  timestamp: number,
): readonly IdentifiedEvent[] {
  if (text.trim() === "") return []
  const role = author === "user" ? "user" : "model"
  return [{ id, author, content: { role, parts: [{ text }] }, timestamp }]
}

/** Returns the text of a message. Omits its files and tool calls. */
function textOf({ content }: Extract<Message, { role: "user" | "assistant" }>): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => ("text" in part ? part.text : [])).join("")
}
