import type { Envelope } from "../../machines/contract/services.js"

/** The result of a call as an engine can keep it: one that cannot be written as JSON is a failure of the service, not of the engine, which would try again. */
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
