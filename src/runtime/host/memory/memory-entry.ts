import type { MemoryEntry } from "../../journal/memory-service.js"

/**
 * Creates a search result of a memory service from a stored message. `time` is 0 if it is unknown.
 */
export const memoryEntry = ({
  author,
  role,
  text,
  time,
}: {
  readonly author: string
  readonly role: string | null
  readonly text: string
  /** Time of the message in milliseconds since the epoch. */
  readonly time: number
}): MemoryEntry => ({
  content: { ...(role !== null && { role }), parts: [{ text }] },
  author,
  ...memoryTime(time),
})

/**
 * Returns the `timestamp` field of a search result. If the time is unknown (0), returns an object
 * without the field.
 */
export const memoryTime = (time: number): Pick<MemoryEntry, "timestamp"> =>
  time > 0 ? { timestamp: new Date(time).toISOString() } : {}
