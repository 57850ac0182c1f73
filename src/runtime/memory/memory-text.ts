import type { MemoryContent, RememberedEvent } from "../journal/memory-service.js"

/** Joins the text parts of a message. Returns an empty string if the message contains no text. */
export const memoryText = ({ parts }: MemoryContent): string =>
  (parts ?? []).map(({ text }) => text ?? "").join("")

/** Maximum number of results of a search in a database, if the caller sets no limit. */
export const defaultMemoryLimit = 20

/** Maximum number of characters that a memory service stores for each message. */
const maxStoredLength = 20_000

/**
 * Returns the text that a memory service stores for a message, at most 20,000 characters. Returns
 * an empty string if the message contains no text.
 */
export const storedMemoryText = ({ content }: RememberedEvent): string =>
  content === undefined ? "" : memoryText(content).slice(0, maxStoredLength)

/**
 * Returns a text for a full-text index. Replaces characters that databases cannot store with
 * spaces.
 */
export const indexedText = (text: string): string => text.replaceAll(/[\0\p{Surrogate}]/gu, " ")

/**
 * Returns the id of a message in its session. If the message has no id, returns its index in the
 * session as a string.
 */
export const eventId = ({ id }: RememberedEvent, position: number): string =>
  id === undefined || id === "" ? String(position) : id

/**
 * Returns the words of a text in lower case. A word is a sequence of letters and digits. All other
 * characters separate words.
 */
export const textWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []

/** Maximum number of words of a query. Further words are ignored. */
const maxWords = 64

/**
 * Returns the words of a query without duplicates, at most 64. The words contain only letters and
 * digits, so they cannot contain operators of a database query.
 */
export const queryWords = (query: string): readonly string[] =>
  [...new Set(textWords(query))].slice(0, maxWords)
