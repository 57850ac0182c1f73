import { thrownMessage } from "../../errors.js"
import type { Journal } from "../../runtime/journal/journal.js"
import { HttpError } from "../../serving/http-error.js"

/**
 * Time for which the result of a journal check (a test read of the journal) is cached, in
 * milliseconds.
 */
const cacheMs = 1_000

/**
 * Maximum duration of a journal check (a test read of the journal), in milliseconds. A longer check
 * fails.
 */
const timeoutMs = 2_000

/**
 * Returns a function that throws HttpError `not_ready` if the journal cannot be read. Clients can
 * request this check without a token, so each result is cached for one second.
 */
export function journalCheck(journal: Journal, now: () => number): () => Promise<void> {
  let last: { readonly at: number; readonly result: Promise<void> } | null = null
  return () => {
    if (last === null || now() - last.at >= cacheMs) {
      const result = check(journal)
      result.catch(() => {})
      last = { at: now(), result }
    }
    return last.result
  }
}

async function check(journal: Journal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no response within ${timeoutMs / 1_000} seconds`)),
      timeoutMs,
    )
  })
  try {
    // No run has this id. The attempt to load it shows whether the journal responds.
    await Promise.race([Promise.resolve(journal.load("readiness check")), late])
  } catch (error) {
    throw new HttpError(503, {
      code: "not_ready",
      message: `the server cannot read its journal: ${thrownMessage(error)}`,
    })
  } finally {
    clearTimeout(timer)
  }
}
