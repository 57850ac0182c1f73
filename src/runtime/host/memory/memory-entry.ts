import type { MemoryEntry } from "../../journal/memory-service.js"

/** Creates a search result of a memory service from the fields of a stored message. */
export const memoryEntry = ({
  author,
  role,
  text,
  time,
}: {
  readonly author: string
  readonly role: string | null
  readonly text: string
  /** Time of the message in milliseconds since the epoch, or 0 if the time is unknown. */
  readonly time: number
}): MemoryEntry => ({
  content: { ...(role !== null && { role }), parts: [{ text }] },
  author,
  ...memoryTime(time),
})

/**
 * Returns an object with the field `timestamp` of a search result, an ISO time. `time` is in
 * milliseconds since the epoch. If `time` is 0 (unknown), the object is empty.
 */
export const memoryTime = (time: number): Pick<MemoryEntry, "timestamp"> =>
  time > 0 ? { timestamp: new Date(time).toISOString() } : {}
