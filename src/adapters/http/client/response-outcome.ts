import {
  errorBodyBytes,
  errorStatus,
  headerText,
  isSuccess,
  responseTooLarge,
} from "./http-client.js"
import type { HttpOutcome } from "./http-outcome.js"

/**
 * Reads a response of `fetch` and returns its outcome, which is an answer or a failure. `onText`
 * receives the text of the body as it arrives.
 */
export async function outcomeOf(
  response: Response,
  maxResponseBytes: number,
  now: () => number,
  onText: ((text: string) => void) | undefined,
): Promise<HttpOutcome> {
  // Browsers do not show the status of a redirect.
  const status = response.type === "opaqueredirect" ? 302 : response.status
  const headers = Object.fromEntries(response.headers)
  const head = { status, headers }
  if (!isSuccess(head)) {
    // If the body cannot be read, the failure contains only the status.
    const { text } = await readBody(response, errorBodyBytes).catch(() => ({ text: "" }))
    return errorStatus(head, text, now)
  }
  const { text, isComplete } = await readBody(response, maxResponseBytes, onText)
  if (!isComplete) return responseTooLarge(head, maxResponseBytes)
  return { type: "answer", status, contentType: headerText(head, "content-type"), headers, text }
}

/**
 * Reads the body of a `fetch` response, up to `limit` bytes. `onText` receives the text as it
 * arrives. `fetch` has already decompressed the body.
 */
async function readBody(
  { body }: Response,
  limit: number,
  onText?: (text: string) => void,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  if (body === null) return { text: "", isComplete: true }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const texts: string[] = []
  const add = (text: string): void => {
    texts.push(text)
    if (text !== "") onText?.(text)
  }
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) break
    const room = limit - size
    size += value.length
    add(decoder.decode(value.length > room ? value.subarray(0, room) : value, { stream: true }))
    if (size > limit) {
      await reader.cancel()
      return { text: texts.join(""), isComplete: false }
    }
  }
  add(decoder.decode())
  return { text: texts.join(""), isComplete: true }
}
