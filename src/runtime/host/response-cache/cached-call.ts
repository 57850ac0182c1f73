import { thrownMessage } from "../../../errors.js"
import type { Envelope, ModelAnswer, ModelRequest } from "../../../machines/contract/services.js"
import type { Clock } from "../../driver/host.js"
import type { ResponseCache, StoredResponse } from "../../journal/response-cache.js"

/** A model call whose response is read from a cache or stored in it. */
interface CachedCall {
  readonly request: ModelRequest
  /** Time in milliseconds for which the response is valid in the cache. */
  readonly cacheMs: number
  readonly clock: Clock
  /** Calls the model and returns a function that stops the call. */
  start(complete: (result: Envelope) => void): () => void
  readonly complete: (result: Envelope) => void
}

/**
 * Completes a model call with the cached response, if the cache contains a response to an equal
 * request. Otherwise calls the model and stores the response. Failed calls are not stored. If the
 * cache fails, the model is called. Returns a function that stops the call.
 */
export function startCachedCall(cache: ResponseCache, call: CachedCall): () => void {
  const { cacheMs, clock, complete } = call
  const request = requestText(call.request)
  let isStopped = false
  let stop = (): void => {}
  const find = async (): Promise<void> => {
    const found = await settled(() => cache.read(request, clock.now()))
    if (isStopped) return
    const now = clock.now()
    if (found.ok && found.value !== null && found.value.at + cacheMs > now)
      return complete({ ok: true, value: answerFrom(found.value), at: now })
    stop = call.start((result) => void end(result, found.ok ? null : found.error))
  }
  const end = async (result: Envelope, readError: string | null): Promise<void> => {
    if (!result.ok) return complete(result)
    // The cast is safe: the value of a successful model call is a `ModelAnswer`.
    const answer = result.value as ModelAnswer
    const response = { answer, at: result.at, expiresAt: result.at + cacheMs }
    const written = await settled(() => cache.write(request, response))
    if (isStopped) return
    const cacheError = readError ?? (written.ok ? null : written.error)
    complete(cacheError === null ? result : { ...result, value: { ...answer, cacheError } })
  }
  void find()
  return () => {
    isStopped = true
    stop()
  }
}

/**
 * Returns the cache key of a request. It is the JSON of all fields that can change the response. If
 * the agent has its own HTTP endpoint, the key also contains the session state and the values for
 * the templates of the endpoint.
 */
function requestText(request: ModelRequest): string {
  const { agent, model, endpoint, messages, tools, generationConfig, outputSchema } = request
  const sent = [agent, model, messages, tools, generationConfig, outputSchema, request.mustAnswer]
  return JSON.stringify(
    endpoint === null ? sent : [...sent, endpoint, request.state, request.context, request.graph],
  )
}

/**
 * Converts a cached response to a new response of the model. The ids of its tool calls are removed,
 * because the conversation may already contain calls with the same ids. The agent creates new ids.
 */
function answerFrom({ answer, at }: StoredResponse): ModelAnswer {
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, id: null }))
  return { ...answer, toolCalls, usage: null, cached: { at, usage: answer.usage } }
}

type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string }

async function settled<Value>(act: () => Value | Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    return { ok: false, error: thrownMessage(error) }
  }
}
