import type { MiddlewareHandler } from "hono"

export interface RateLimit {
  /**
   * Average number of requests per second that one client may send. A short burst may contain twice
   * as many requests.
   */
  readonly perSecond: number
  /** Returns the current time in milliseconds. */
  readonly now: () => number
  /** Returns a key that identifies the client, such as its IP address. */
  readonly clientOf: (context: Parameters<MiddlewareHandler>[0]) => string
}

/**
 * Maximum number of clients whose request rate is tracked. If there are more, the least recently
 * seen client is removed.
 */
const maxClients = 10_000

/**
 * Creates middleware that limits the request rate of each client with a token bucket. `clientOf`
 * identifies the client, for example by its IP address.
 */
export function rateLimit({ perSecond, now, clientOf }: RateLimit): MiddlewareHandler {
  const burst = perSecond * 2
  const buckets = new Map<string, { tokens: number; time: number }>()
  return async (context, next) => {
    const client = clientOf(context)
    const time = now()
    const known = buckets.get(client)
    const tokens =
      known === undefined
        ? burst
        : Math.min(burst, known.tokens + ((time - known.time) / 1000) * perSecond)
    // Reinserting moves the client to the end, so the first one is the least recently seen.
    buckets.delete(client)
    buckets.set(client, { tokens: Math.max(0, tokens - 1), time })
    const [oldest] = buckets.keys()
    if (buckets.size > maxClients && oldest !== undefined) buckets.delete(oldest)
    if (tokens < 1) {
      context.header("retry-after", String(Math.max(1, Math.ceil((1 - tokens) / perSecond))))
      return context.json(
        {
          code: "rate_limited",
          message: `a client can send at most ${perSecond} requests per second; wait and send the request again`,
        },
        429,
      )
    }
    await next()
    return undefined
  }
}
