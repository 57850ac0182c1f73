import type { Envelope } from "../../machines/contract/services.js"

/**
 * Returns a call's result in a form that can be stored as JSON. If this is not possible, returns a
 * failed result. Otherwise, the engine would fail to store the result and retry the call.
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
