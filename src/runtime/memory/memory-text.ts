import type { MemoryContent, RememberedEvent } from "../journal/memory-service.js"

/** Returns all texts of a message content as one string, or "" if it contains no text. */
export const memoryText = ({ parts }: MemoryContent): string =>
  (parts ?? []).map(({ text }) => text ?? "").join("")

/** Maximum number of results of a search without a limit. */
export const defaultMemoryLimit = 20

/** Maximum number of characters of a message that a memory service stores. */
const maxStoredLength = 20_000

/** Returns the text that a memory service stores for a message, or "" if it has no text. */
export const storedMemoryText = ({ content }: RememberedEvent): string =>
  content === undefined ? "" : memoryText(content).slice(0, maxStoredLength)

/** Returns a text for a full-text index: without characters that databases cannot store. */
export const indexedText = (text: string): string => text.replaceAll(/[\0\p{Surrogate}]/gu, " ")

/**
 * Returns the id of a message in a session. If the message has no id, returns its position in the
 * session.
 */
export const eventId = ({ id }: RememberedEvent, position: number): string =>
  id === undefined || id === "" ? String(position) : id

/**
 * Returns the words of a text in lower case: sequences of letters and digits. All other characters
 * separate words.
 */
export const textWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []

/** Maximum number of words of a query that are searched. */
const maxWords = 64

/**
 * Returns the words of a query without duplicates. The words are safe in a database query: they
 * contain only letters and digits, so they contain no operators.
 */
export const queryWords = (query: string): readonly string[] =>
  [...new Set(textWords(query))].slice(0, maxWords)
