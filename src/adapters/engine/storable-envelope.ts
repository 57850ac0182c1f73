import type { Envelope } from "../../machines/contract/services.js"

/**
 * Returns a call result that can be stored as JSON. A result that cannot be serialized becomes a
 * failure of the service, so that the engine does not retry the call.
 */
export function storableEnvelope(result: Envelope): Envelope {
  try {
    JSON.stringify(result)
    return result
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      error: {
        code: "service_answer_malformed",
        message: `the response cannot be stored because it is not JSON: ${why}`,
        retryable: false,
      },
      at: result.at,
    }
  }
}
