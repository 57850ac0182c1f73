import { ClientError } from "../../../client/client-error.js"
import type { ErrorBody } from "../../api.js"
import { token } from "./token.js"

interface JsonRequest {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * Sends a request to the studio's API and returns the JSON of the response.
 *
 * @throws ClientError with a message for the user if the studio is unreachable or rejects the
 * request.
 */
export async function fetchJson<Json>(
  path: string,
  { method = "GET", body, signal }: JsonRequest = {},
): Promise<Json> {
  let response: Response
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ClientError(
      "server_unreachable",
      "The studio does not respond. Check that it is still running.",
      { cause: error },
    )
  }
  // Errors are JSON, too. The connection can break in the middle of a response.
  const json: unknown = await response.json().catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new ClientError(
      "invalid_response",
      `The response of the studio is not complete (status ${response.status}). Reload the page.`,
      { status: response.status, cause: error },
    )
  })
  if (!response.ok) {
    const { code, message } = json as ErrorBody
    throw new ClientError(code, message, { status: response.status })
  }
  // The server and the page come from the same build, so the page trusts the format.
  return json as Json
}

/** Returns the message of an error, which is shown to the user. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
