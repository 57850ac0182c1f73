import type { ModelAnswer } from "../../../machines/contract/services.js"
import type { ResponseCache } from "../../journal/response-cache.js"

/**
 * Creates a cache for model responses in the memory of this process. If the stored requests and
 * responses have more than `maxCharacters` characters together, the least recently used responses
 * are deleted.
 *
 * @example
 * const responseCache = memoryResponseCache()
 * const runners = [createRunner({ responseCache }), createRunner({ responseCache })]
 */
export function memoryResponseCache({
  maxCharacters = 20_000_000,
}: {
  /**
   * Maximum number of characters of all stored requests and responses together. Default:
   * 20,000,000.
   */
  readonly maxCharacters?: number
} = {}): ResponseCache {
  interface Stored {
    /** The response as JSON text, so that runs cannot change the stored response. */
    readonly answer: string
    readonly at: number
    readonly expiresAt: number
  }
  /** Stored responses by request. The least recently used response is the first. */
  const stored = new Map<string, Stored>()
  let characters = 0
  const remove = (request: string): void => {
    const found = stored.get(request)
    if (found === undefined) return
    stored.delete(request)
    characters -= request.length + found.answer.length
  }
  const add = (request: string, response: Stored): void => {
    remove(request)
    stored.set(request, response)
    characters += request.length + response.answer.length
  }
  return {
    read(request, now) {
      const found = stored.get(request)
      if (found === undefined) return null
      if (found.expiresAt <= now) {
        remove(request)
        return null
      }
      add(request, found)
      // The cast is safe: `write` created the text from a `ModelAnswer`.
      return { ...found, answer: JSON.parse(found.answer) as ModelAnswer }
    },
    write(request, { answer, at, expiresAt }) {
      add(request, { answer: JSON.stringify(answer), at, expiresAt })
      for (const oldest of stored.keys()) {
        if (characters <= maxCharacters) return
        remove(oldest)
      }
    },
    clear() {
      stored.clear()
      characters = 0
    },
  }
}
