import { connectionFailure } from "../../adapters/http/client/connection-failure.js"
import { defaultMaxResponseBytes, type HttpClient } from "../../adapters/http/client/http-client.js"
import type { HttpOutcome } from "../../adapters/http/client/http-outcome.js"
import { outcomeOf } from "../../adapters/http/client/response-outcome.js"
import type { IncomingRequest } from "../../adapters/scripted/request-record.js"
import type { ScriptedReply } from "../../adapters/scripted/scenario.js"
import { responseFor } from "../../adapters/scripted/write-reply.js"
import { AgentStatechartsError } from "../../errors.js"
import { brokenBody, type AnswerFault, injectedRetryAfterMs } from "../contract/fault.js"

/** Returns the HTTP reply of a simulated service to a request. */
export type AnswerRequest = (request: IncomingRequest) => ScriptedReply

/**
 * An HTTP client that returns scripted replies and does not use the network. One client serves the
 * calls of all runs. `answerWith` sets the function that replies to all requests with this abort
 * signal.
 */
export interface ScriptedClient extends HttpClient {
  answerWith(signal: AbortSignal, answer: AnswerRequest): void
}

export function scriptedClient(
  maxResponseBytes = defaultMaxResponseBytes,
  now: () => number = () => 0,
): ScriptedClient {
  const answers = new WeakMap<AbortSignal, AnswerRequest>()
  return {
    answerWith: (signal, answer) => void answers.set(signal, answer),
    async send({ method, url, headers, body }, signal, onText): Promise<HttpOutcome> {
      signal.throwIfAborted()
      const answer = answers.get(signal)
      if (answer === undefined)
        throw new AgentStatechartsError(
          "internal",
          `the request ${method} ${url} has no scripted response, because no model, tool or node of the run made it. Report this as a bug`,
        )
      const request = { method, url: url.href, headers, text: body ?? "" }
      const response = responseFor(answer(request), request)
      return response === null
        ? connectionFailure({ code: "ECONNRESET" })
        : outcomeOf(response, maxResponseBytes, now, onText)
    },
    close: () => Promise.resolve(),
  }
}

const json = "application/json"

/** The HTTP reply of each fault that replaces the reply of a service. */
export const faultyReplies: Readonly<Record<AnswerFault, ScriptedReply>> = {
  reset: { type: "reset" },
  "status-429": {
    type: "status",
    status: 429,
    headers: { "retry-after": String(injectedRetryAfterMs / 1000) },
    echoHeaders: false,
  },
  "status-500": { type: "status", status: 500, headers: {}, echoHeaders: false },
  malformed: { type: "text", text: brokenBody, contentType: json },
  empty: { type: "text", text: "", contentType: json },
}
