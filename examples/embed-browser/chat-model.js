import { CallFailedError } from "agent-statecharts/machines"

/**
 * A model behind the chat completions API, asked by `fetch`. Texts only; for tools see what `agent-statecharts/adapters/model/openai` does
 * on Node. A key does not belong into a page: put a server of yours in between, or run the model on your machine.
 */
export function chatModel(baseUrl) {
  return {
    async call({ agent, messages, idempotencyKey }, { signal }) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
        body: JSON.stringify({ model: agent, messages }),
        signal,
      }).catch((cause) => {
        throw new CallFailedError({
          code: "service_unreachable",
          message: `the model cannot be reached: ${cause.message}`,
          retryable: true,
        })
      })
      if (!response.ok) {
        const { status } = response
        throw new CallFailedError({
          code: "model_call_failed",
          message: `the model answered with ${status}`,
          retryable: status === 429 || status >= 500,
          status,
        })
      }
      const { choices } = await response.json()
      return { content: choices[0].message.content }
    },
  }
}
