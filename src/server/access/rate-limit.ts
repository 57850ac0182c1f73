import type { MiddlewareHandler } from "hono"

export interface RateLimit {
  /** Requests of one client in a second, on average; twice as many may come at once. */
  readonly perSecond: number
  readonly now: () => number
  readonly clientOf: (context: Parameters<MiddlewareHandler>[0]) => string
}

/** More clients are not remembered: those that have been away for longest are forgotten. */
const mostClients = 10_000

/** A bucket of requests for each client, which fills up again as time passes. */
export function rateLimit({ perSecond, now, clientOf }: RateLimit): MiddlewareHandler {
  const burst = perSecond * 2
  const buckets = new Map<string, { left: number; at: number }>()
  return async (context, next) => {
    const client = clientOf(context)
    const at = now()
    const known = buckets.get(client)
    const left =
      known === undefined
        ? burst
        : Math.min(burst, known.left + ((at - known.at) / 1000) * perSecond)
    // Put at the end: the first one is then who has been away for longest.
    buckets.delete(client)
    buckets.set(client, { left: Math.max(0, left - 1), at })
    const [oldest] = buckets.keys()
    if (buckets.size > mostClients && oldest !== undefined) buckets.delete(oldest)
    if (left < 1) {
      context.header("retry-after", String(Math.max(1, Math.ceil((1 - left) / perSecond))))
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
