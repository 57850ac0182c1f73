import type { Envelope } from "../../machines/contract/services.js"

/**
 * Returns a call's result unchanged if it can be serialized as JSON. If not, returns a failed
 * result. Otherwise, the engine would fail to store the result and would retry the call.
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
